import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Block, type Blocks, type Inlines, parseMarkdown, plainText } from '../../web/pages/docs/markdown.ts'

const DOCS = new URL('../../docs/', import.meta.url)
const FILES = ['reference', 'how-to'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, DOCS)).map((name) => `${folder}/${name}`),
)
const sourceOf = (file: string) => readFileSync(new URL(file, DOCS), 'utf8')

/** All that is written in a block, by what it is. */
function* partsOf(block: Block): Generator<{ readonly inlines: Inlines } | { readonly code: string }> {
  if (block.kind === 'code') yield { code: block.text }
  else if (block.kind === 'list') for (const item of block.items.flat()) yield* partsOf(item)
  else if (block.kind === 'table') for (const inlines of [block.head, ...block.rows].flat()) yield { inlines }
  else yield { inlines: block.inlines }
}

const parts = (blocks: Blocks) => blocks.flatMap((block) => [...partsOf(block)])
const wordsOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The same, taken from the source by rules of its own. */
function wordsOfSource(source: string): string {
  const visible = source
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^ *```.*$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/^( *)\d\. /gm, '$1')
  return wordsOf(visible)
}

function textOutsideOfCode(inlines: Inlines): string {
  return inlines
    .map((one) => {
      if (one.kind === 'code') return ''
      return one.kind === 'text' ? one.text : textOutsideOfCode(one.inlines)
    })
    .join('')
}

function hrefsOf(inlines: Inlines): string[] {
  return inlines.flatMap((one) => {
    if (one.kind === 'text' || one.kind === 'code') return []
    return [...(one.kind === 'link' ? [one.href] : []), ...hrefsOf(one.inlines)]
  })
}

const idsOf = (file: string) =>
  parseMarkdown(sourceOf(file)).flatMap((block) => (block.kind === 'heading' ? [block.id] : []))

describe.each(FILES)('docs/%s', (file) => {
  const blocks = parseMarkdown(sourceOf(file))

  test('loses and repeats no word', () => {
    const words = parts(blocks).map((part) => ('code' in part ? part.code : plainText(part.inlines)))
    const [read, written] = [wordsOf(words.join(' ')), wordsOfSource(sourceOf(file))]
    const difference = [...written].findIndex((letter, at) => read[at] !== letter)
    expect(read.slice(difference, difference + 60)).toBe(written.slice(difference, difference + 60))
    expect(read).toHaveLength(written.length)
  })

  test('shows no mark of Markdown as text', () => {
    const shown = parts(blocks).map((part) => ('code' in part ? '' : textOutsideOfCode(part.inlines)))
    expect(shown.filter((text) => /\*\*|`|\]\(|^\s*#{1,6} |^[-*] |^\||\|-|(^|\s)\*\w/.test(text))).toEqual([])
  })

  test('has rows as long as their head', () => {
    for (const block of blocks) {
      if (block.kind !== 'table') continue
      for (const row of block.rows)
        expect([plainText(row[0] ?? []), row.length]).toEqual([expect.anything(), block.head.length])
    }
  })

  test('leads to headings that are there', () => {
    const links = parts(blocks).flatMap((part) => ('code' in part ? [] : hrefsOf(part.inlines)))
    for (const href of links) {
      const [path = '', anchor] = href.split('#')
      if (anchor === undefined || /^https?:/.test(path)) continue
      const target = path === '' ? file : new URL(path, new URL(file, DOCS)).href.slice(DOCS.href.length)
      if (FILES.includes(target)) expect([href, idsOf(target)]).toEqual([href, expect.arrayContaining([anchor])])
    }
  })
})

describe('Markdown', () => {
  const text = (value: string) => ({ kind: 'text', text: value })

  test('is read by what begins a line', () => {
    expect(parseMarkdown('# A `b` *c*\n\none\ntwo\n\n```sh\nls # no heading\n```\n')).toEqual([
      {
        kind: 'heading',
        level: 1,
        id: 'a-b-c',
        inlines: [text('A '), { kind: 'code', text: 'b' }, text(' '), { kind: 'emphasis', inlines: [text('c')] }],
      },
      { kind: 'paragraph', inlines: [text('one two')] },
      { kind: 'code', language: 'sh', text: 'ls # no heading' },
    ])
  })

  test('has lists in lists, with code and paragraphs in their items', () => {
    const [list] = parseMarkdown('1. one\n   ```ts\n   let a\n   ```\n\n   more\n2. two\nlazy\n   - inner\n')
    expect(list).toEqual({
      kind: 'list',
      isOrdered: true,
      items: [
        [
          { kind: 'paragraph', inlines: [text('one')] },
          { kind: 'code', language: 'ts', text: 'let a' },
          { kind: 'paragraph', inlines: [text('more')] },
        ],
        [
          { kind: 'paragraph', inlines: [text('two lazy')] },
          { kind: 'list', isOrdered: false, items: [[{ kind: 'paragraph', inlines: [text('inner')] }]] },
        ],
      ],
    })
  })

  test('has tables whose cells may have bars', () => {
    const [table] = parseMarkdown('| a | b |\n|---|:-:|\n| `x\\|y` | |\n\nafter')
    expect(table).toEqual({
      kind: 'table',
      head: [[text('a')], [text('b')]],
      rows: [[[{ kind: 'code', text: 'x|y' }], []]],
    })
  })

  test.each<[string, Inlines | unknown[]]>([
    ['a * b * c', [text('a * b * c')]],
    ['snake_case_name', [text('snake_case_name')]],
    ['`` a ` b ``', [{ kind: 'code', text: 'a ` b' }]],
    ['`open', [text('`open')]],
    ['[no link]', [text('[no link]')]],
    ['[`a[0]`](x.md#y)', [{ kind: 'link', href: 'x.md#y', inlines: [{ kind: 'code', text: 'a[0]' }] }]],
    ['**a `**` b**', [{ kind: 'strong', inlines: [text('a '), { kind: 'code', text: '**' }, text(' b')] }]],
    ['\\*no\\*', [text('*no*')]],
    ['<img src=x onerror=alert(1)>', [text('<img src=x onerror=alert(1)>')]],
  ])('reads %s', (line, inlines) => {
    expect(parseMarkdown(line)).toEqual([{ kind: 'paragraph', inlines }])
  })

  test('gives two headings of one name two ids', () => {
    expect(parseMarkdown('## A\n## A\n## A').map((block) => 'id' in block && block.id)).toEqual(['a', 'a-1', 'a-2'])
  })
})

/** A piece of a line. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly inlines: Inlines }
  | { readonly kind: 'link'; readonly href: string; readonly inlines: Inlines }

export type Inlines = readonly Inline[]

/** A part of a page, one below the other. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly inlines: Inlines }
  | { readonly kind: 'paragraph'; readonly inlines: Inlines }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Blocks[] }
  | { readonly kind: 'table'; readonly head: readonly Inlines[]; readonly rows: readonly (readonly Inlines[])[] }

export type Blocks = readonly Block[]

const FENCE = /^( *)(```+)\s*([\w-]*)/
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/
const ITEM = /^( *)([-*]|\d{1,3}\.)( +)(?=\S)/
const RULE_OF_TABLE = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/**
 * Reads the Markdown that the pages of the reference are written in: headings, paragraphs, lists, tables, code, links, emphasis. What is
 * anything else stays the text that it is; HTML never becomes more than text.
 */
export function parseMarkdown(text: string): Blocks {
  const lines = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
    .split('\n')
  return new BlockReader(new Set()).read(lines)
}

/** What a heading is linked by, as GitHub makes it: links between the pages hold there and here. */
export function slugOf(inlines: Inlines): string {
  return plainText(inlines)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** The words without what they look like. */
export function plainText(inlines: Inlines): string {
  return inlines.map((one) => ('text' in one ? one.text : plainText(one.inlines))).join('')
}

class BlockReader {
  /** Of headings so far, so that none has the id of another. */
  readonly #ids: Set<string>

  constructor(ids: Set<string>) {
    this.#ids = ids
  }

  read(lines: readonly string[]): Blocks {
    const blocks: Block[] = []
    let at = 0
    while (at < lines.length) {
      if ((lines[at] ?? '').trim() === '') at += 1
      else {
        const [block, end] = this.#blockAt(lines, at)
        blocks.push(block)
        at = end
      }
    }
    return blocks
  }

  #blockAt(lines: readonly string[], at: number): [block: Block, end: number] {
    const line = lines[at] ?? ''
    const fence = FENCE.exec(line)
    if (fence !== null) return codeAt(lines, at, fence)
    const heading = HEADING.exec(line)
    if (heading !== null) return [this.#heading(heading), at + 1]
    if (beginsTable(lines, at)) return tableAt(lines, at)
    return ITEM.test(line) ? this.#listAt(lines, at) : paragraphAt(lines, at)
  }

  #heading([, marks = '', words = '']: RegExpExecArray): Block {
    const inlines = parseInlines(words)
    const slug = slugOf(inlines)
    let id = slug
    for (let n = 1; this.#ids.has(id); n++) id = `${slug}-${n}`
    this.#ids.add(id)
    return { kind: 'heading', level: marks.length, id, inlines }
  }

  #listAt(lines: readonly string[], from: number): [block: Block, end: number] {
    const [, indent = '', first = ''] = ITEM.exec(lines[from] ?? '') ?? []
    const isOrdered = /\d/.test(first)
    const items: Blocks[] = []
    let at = from
    for (;;) {
      const item = ITEM.exec(lines[at] ?? '')
      if (item === null || item[1] !== indent || /\d/.test(item[2] ?? '') !== isOrdered) break
      const width = item[0].length
      const end = endOfItem(lines, at + 1, indent.length)
      const own = [(lines[at] ?? '').slice(width), ...lines.slice(at + 1, end).map((line) => dedented(line, width))]
      items.push(this.read(own))
      at = end
      while (at < lines.length && (lines[at] ?? '').trim() === '') at += 1
    }
    return [{ kind: 'list', isOrdered, items }, at]
  }
}

/** An item goes on over lines that are indented, blank ones between them, and the rest of its paragraph. */
function endOfItem(lines: readonly string[], from: number, indent: number): number {
  let end = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    const isWithin = indentOf(line) > indent
    const isLazy = at === end && !beginsBlock(lines, at) && !ITEM.test(line)
    if (!isWithin && !isLazy) break
    end = at + 1
  }
  return end
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function dedented(line: string, width: number): string {
  return line.slice(Math.min(width, indentOf(line)))
}

function codeAt(lines: readonly string[], at: number, fence: RegExpExecArray): [block: Block, end: number] {
  const [, indent = '', marks = '', language = ''] = fence
  const closing = lines.findIndex((line, index) => index > at && line.trim() === marks)
  const end = closing === -1 ? lines.length : closing
  const text = lines.slice(at + 1, end).map((line) => dedented(line, indent.length))
  return [{ kind: 'code', language, text: text.join('\n') }, end + 1]
}

function paragraphAt(lines: readonly string[], from: number): [block: Block, end: number] {
  let end = from + 1
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && !beginsBlock(lines, end)) end += 1
  const text = lines
    .slice(from, end)
    .map((line) => line.trim())
    .join(' ')
  return [{ kind: 'paragraph', inlines: parseInlines(text) }, end]
}

/** Whether a line ends the paragraph before it; a number that a sentence happens to begin its line with does not. */
function beginsBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  const [, , mark = ''] = ITEM.exec(line) ?? []
  return FENCE.test(line) || HEADING.test(line) || /^([-*]|1\.)$/.test(mark) || beginsTable(lines, at)
}

function beginsTable(lines: readonly string[], at: number): boolean {
  return (
    (lines[at] ?? '').includes('|') && (lines[at + 1] ?? '').includes('|') && RULE_OF_TABLE.test(lines[at + 1] ?? '')
  )
}

function tableAt(lines: readonly string[], from: number): [block: Block, end: number] {
  let end = from + 2
  while (end < lines.length && (lines[end] ?? '').trimStart().startsWith('|')) end += 1
  const [head = [], ...rows] = [lines[from] ?? '', ...lines.slice(from + 2, end)].map(cellsOf)
  return [{ kind: 'table', head, rows }, end]
}

/** A bar that is meant as one is written `\|`, in code too. */
function cellsOf(line: string): readonly Inlines[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => parseInlines(cell.trim().replaceAll('\\|', '|')))
}

/** Reads what is within a line, from left to right. */
export function parseInlines(text: string): Inlines {
  const inlines: Inline[] = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    const found = inlineAt(text, at)
    if (found === null) {
      const isEscape = text[at] === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')
      plain += text[at + (isEscape ? 1 : 0)]
      at += isEscape ? 2 : 1
    } else {
      if (plain !== '') inlines.push({ kind: 'text', text: plain })
      plain = ''
      inlines.push(found.inline)
      at = found.end
    }
  }
  if (plain !== '') inlines.push({ kind: 'text', text: plain })
  return inlines
}

interface Found {
  readonly inline: Inline
  readonly end: number
}

function inlineAt(text: string, at: number): Found | null {
  switch (text[at]) {
    case '`':
      return codeSpanAt(text, at)
    case '*':
      return emphasisAt(text, at)
    case '[':
      return linkAt(text, at)
    default:
      return null
  }
}

function codeSpanAt(text: string, at: number): Found | null {
  const marks = /^`+/.exec(text.slice(at))?.[0] ?? ''
  const start = at + marks.length
  const length = text.slice(start).search(new RegExp(`(?<!\`)${marks}(?!\`)`))
  if (length === -1) return null
  const code = text.slice(start, start + length)
  const isPadded = /^ .*[^ ].* $/.test(code)
  return {
    inline: { kind: 'code', text: isPadded ? code.slice(1, -1) : code },
    end: start + length + marks.length,
  }
}

function emphasisAt(text: string, at: number): Found | null {
  const marks = text.startsWith('**', at) ? '**' : '*'
  const start = at + marks.length
  if (/\s/.test(text[start] ?? ' ')) return null
  const end = endOfEmphasis(text, start, marks)
  if (end === -1) return null
  const inlines = parseInlines(text.slice(start, end))
  return { inline: { kind: marks === '**' ? 'strong' : 'emphasis', inlines }, end: end + marks.length }
}

function endOfEmphasis(text: string, start: number, marks: string): number {
  for (let at = start; at < text.length; at++) {
    const code = text[at] === '`' ? codeSpanAt(text, at) : null
    if (code !== null) at = code.end - 1
    else if (text.startsWith(marks, at) && !/\s/.test(text[at - 1] ?? ' ')) return at
  }
  return -1
}

function linkAt(text: string, at: number): Found | null {
  const end = endOfBrackets(text, at)
  if (end === -1 || text[end + 1] !== '(') return null
  const close = text.indexOf(')', end)
  if (close === -1) return null
  const href = text.slice(end + 2, close)
  return { inline: { kind: 'link', href, inlines: parseInlines(text.slice(at + 1, end)) }, end: close + 1 }
}

function endOfBrackets(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text[at] === '`' ? codeSpanAt(text, at) : null
    if (code !== null) at = code.end - 1
    else if (text[at] === '[') depth += 1
    else if (text[at] === ']') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

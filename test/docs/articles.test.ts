import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { articleOf } from '../../scripts/guides/article.mjs'

const DOCS = new URL('../../docs/', import.meta.url)
const FILES = ['reference', 'how-to'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, DOCS)).map((name) => `${folder}/${name}`),
)
const sourceOf = (file: string) => readFileSync(new URL(file, DOCS), 'utf8')
const htmlOf = (text: string, targetOf = (href: string): string | null => href) => articleOf(text, targetOf)

/** What a reader sees: without what the page adds to the text. */
function shownIn(html: string): string {
  return html
    .replaceAll(
      /<nav[\s\S]*?<\/nav>|<button[\s\S]*?<\/button>|<a class="anchor".*?<\/a>|<span class="unseen">.*?<\/span>/g,
      '',
    )
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

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

const idsOf = (file: string) => [...htmlOf(sourceOf(file)).matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id)

describe.each(FILES)('docs/%s', (file) => {
  const html = htmlOf(sourceOf(file))

  test('loses and repeats no word', () => {
    const [read, written] = [wordsOf(shownIn(html)), wordsOfSource(sourceOf(file))]
    const difference = [...written].findIndex((letter, at) => read[at] !== letter)
    expect(read.slice(difference, difference + 60)).toBe(written.slice(difference, difference + 60))
    expect(read).toHaveLength(written.length)
  })

  test('shows no mark of Markdown as text', () => {
    const texts = html.replaceAll(/<(pre|code)\b[\s\S]*?<\/\1>/g, '').split(/<\/?(?:p|li|td|th|h\d)\b[^>]*>/)
    const marks = /\*\*|`|\]\(|^\s*#{1,6} |^[-*] |^\||\|-|(^|\s)\*\w/
    expect(texts.map(shownIn).filter((text) => marks.test(text))).toEqual([])
  })

  test('has rows as long as their head', () => {
    for (const [table] of html.matchAll(/<table>[\s\S]*?<\/table>/g)) {
      const head = table.match(/<th /g)?.length
      for (const [row] of table.matchAll(/<tr>\s*<td>[\s\S]*?<\/tr>/g))
        expect([shownIn(row), row.match(/<td>/g)?.length]).toEqual([expect.anything(), head])
    }
  })

  test('leads to headings that are there', () => {
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const [path = '', anchor] = href.split('#')
      if (anchor === undefined || /^https?:/.test(path)) continue
      const target = path === '' ? file : new URL(path, new URL(file, DOCS)).href.slice(DOCS.href.length)
      if (FILES.includes(target)) expect([href, idsOf(target)]).toEqual([href, expect.arrayContaining([anchor])])
    }
  })
})

describe('an article', () => {
  it('has headings that can be linked, no two of them alike', () => {
    expect(htmlOf('# A `b` *c*\n## "A" & B\n## A\n## A\n')).toBe(
      '<h1 id="a-b-c" tabindex="-1">A <code>b</code> <em>c</em></h1>\n' +
        '<h2 id="a--b" tabindex="-1">&quot;A&quot; &amp; B<a class="anchor" href="#a--b" aria-label="Link to &#34;A&#34; &#38; B">#</a></h2>\n' +
        '<h2 id="a" tabindex="-1">A<a class="anchor" href="#a" aria-label="Link to A">#</a></h2>\n' +
        '<h2 id="a-1" tabindex="-1">A<a class="anchor" href="#a-1" aria-label="Link to A">#</a></h2>\n',
    )
  })

  it('lists its headings where there are many', () => {
    const of = (count: number) => htmlOf(Array.from({ length: count }, (_, at) => `## Part ${at}\n`).join('\n'))
    expect(of(3)).not.toContain('<nav')
    expect(of(4)).toContain('<a href="#part-3">Part 3</a>\n</nav>')
  })

  it('has examples that can be copied, and that are text', () => {
    const html = htmlOf('```sh\na "<b>" & c # no heading\n```\n')
    expect(html).toContain('aria-label="Example 1">a &#34;&#60;b&#62;&#34; &#38; c # no heading</pre>')
    expect(html).toContain('<button type="button" aria-label="Copy example 1">Copy</button>')
  })

  it('has tables whose cells may have bars, and a head for each column', () => {
    const html = htmlOf('| | b |\n|---|:-:|\n| `x\\|y` | |\n\nafter')
    expect(html).toContain('<th scope="col"><span class="unseen">Row</span></th>')
    expect(html).toContain('<td><code>x|y</code></td>\n<td></td>')
    expect(html).toContain('role="region" aria-label="Table 1: "')
    expect(html).toContain('<p>after</p>')
  })

  it.each([
    ['<img src=x onerror=alert(1)>', '&#60;img src=x onerror=alert(1)&#62;'],
    ['a <b>b</b>', '<p>a &#60;b&#62;b&#60;/b&#62;</p>'],
    ['<script>x</script>\n', '&#60;script&#62;x&#60;/script&#62;'],
    ['a <!-- for writers --> b', '<p>a  b</p>'],
    ['<!-- for writers -->\n\na', '<p>a</p>'],
    ['<!-- for writers --> a', 'a'],
    ['snake_case_name', '<p>snake_case_name</p>'],
  ])('shows %s as text', (text, html) => {
    expect(htmlOf(text).trim()).toBe(html)
  })

  it('tells what leads nowhere that its reader gets to, and does not link it', () => {
    const targetOf = (href: string) => (href === 'x.md' ? './docs/x' : null)
    expect(htmlOf('[`a`](x.md) [b](y.md)', targetOf)).toContain('<p><a href="./docs/x"><code>a</code></a> b</p>')
    expect(htmlOf('[a](javascript:alert(1))', targetOf)).toBe('<p>a</p>\n')
  })
})

// Makes HTML of the Markdown of a guide: headings that can be linked, tables that move within their own place, examples with a button that copies them.
import { lexer, parser, Renderer } from 'marked'

/** Headings from which on a page has a list of them. */
const MANY = 4

/**
 * Makes the HTML of one guide.
 * @param {string} text its Markdown
 * @param {(href: string) => string | null} targetOf where a link leads on this page; null where no reader of it gets to
 * @returns {string}
 */
export function articleOf(text, targetOf) {
  const renderer = new GuideRenderer(targetOf)
  const html = parser(lexer(text), { renderer })
  const chapters = renderer.headings.filter(({ depth }) => depth === 2)
  const links = chapters.map(({ id, plain }) => `<a href="#${id}">${escaped(plain)}</a>`).join('\n')
  return chapters.length < MANY
    ? html
    : `<nav class="on-this-page" aria-label="On this page">\n${links}\n</nav>\n${html}`
}

/** Text as HTML, in attributes too. */
export function escaped(text) {
  return text.replaceAll(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

class GuideRenderer extends Renderer {
  headings = []
  #targetOf
  #places = 0

  constructor(targetOf) {
    super()
    this.#targetOf = targetOf
  }

  heading({ tokens, depth }) {
    const plain = this.#plain(tokens)
    const id = this.#idOf(plain)
    this.headings.push({ id, plain, depth })
    const anchor = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to ${escaped(plain)}">#</a>`
    return `<h${depth} id="${id}" tabindex="-1">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`
  }

  code({ text }) {
    const name = `xample ${++this.#places}`
    return `<div class="copyable"><pre tabindex="0" role="region" aria-label="E${name}">${escaped(text)}</pre>
<span><button type="button" aria-label="Copy e${name}">Copy</button></span></div>\n`
  }

  table(token) {
    const label = `Table ${++this.#places}: ${this.#plain(token.header[0].tokens)}`
    return `<div class="wide" tabindex="0" role="region" aria-label="${escaped(label)}">${super.table(token)}</div>\n`
  }

  tablecell({ tokens, header: isHead }) {
    const words = this.parser.parseInline(tokens)
    if (!isHead) return `<td>${words}</td>\n`
    return `<th scope="col">${words === '' ? '<span class="unseen">Row</span>' : words}</th>\n`
  }

  link({ href, tokens }) {
    const words = this.parser.parseInline(tokens)
    const target = this.#targetOf(href)
    return target === null ? words : `<a href="${escaped(target)}">${words}</a>`
  }

  /** What looks like HTML stays text; comments are for those who write. */
  html({ text }) {
    return escaped(text.replaceAll(/<!--[\s\S]*?-->/g, ''))
  }

  #plain(tokens) {
    return this.parser.parseInline(tokens, this.parser.textRenderer)
  }

  /** What a heading is linked by, as GitHub makes it: links between the guides hold there and here. */
  #idOf(plain) {
    const slug = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const isTaken = (id) => this.headings.some((heading) => heading.id === id)
    let id = slug
    for (let n = 1; isTaken(id); n++) id = `${slug}-${n}`
    return id
  }
}

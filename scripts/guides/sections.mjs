// Lists the sections of guides with their words, so that who searches the operations finds what there is to read beside them.
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' }
const HEADING = /<h([1-3]) id="([^"]+)"[^>]*>([\s\S]*?)<\/h\1>/g

/**
 * Lists the sections of one guide, each with every word of it once.
 * @param {{ name: string, title: string }} guide
 * @param {string} article its HTML
 * @returns {readonly { path: string, guide: string, heading: string, words: string }[]}
 */
export function sectionsOf({ name, title }, article) {
  const headings = [...article.matchAll(HEADING)]
  return headings.map((found, at) => {
    const [whole, depth, id, inner] = found
    const end = headings[at + 1]?.index ?? article.length
    const words =
      plain(article.slice(found.index + whole.length, end))
        .toLowerCase()
        .match(/[\p{L}\p{N}_.$-]{2,}/gu) ?? []
    return {
      path: depth === '1' ? `./docs/${name}` : `./docs/${name}#${id}`,
      guide: title,
      heading: depth === '1' ? '' : plain(inner).replace(/#$/, '').trim(),
      words: [...new Set(words)].join(' '),
    }
  })
}

function plain(html) {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll(/&(\w+);/g, (_, name) => ENTITIES[name] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

// Makes the documents below `/docs`: the page as it is built, with a guide in it, or with the place where the server writes its operations.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../command.mjs'
import { articleOf } from './article.mjs'
import { contentsHtml, GUIDES, targetFrom } from './contents.mjs'
import { sectionsOf } from './sections.mjs'

/**
 * Makes every document, and the list of their sections, by its file.
 * @param {string} index the page as it is built
 * @param {{ style: string, script: string }} files those that documents need beside its own, by their addresses
 * @returns {Map<string, string>}
 */
export function docsDocuments(index, files) {
  const sections = []
  const guides = GUIDES.map(({ file, name, title }) => {
    const article = articleOf(readFileSync(join(ROOT, `docs/${file}.md`), 'utf8'), targetFrom(file))
    sections.push(...sectionsOf({ name, title }, article))
    const asText = `<p class="fine"><a href="./docs/${name}.md">This page as text</a></p>`
    const content = `${contentsHtml(file)}\n<article class="guide">\n${article}${asText}\n</article>`
    // Addresses are those of the root, and a guide is one step below.
    return [`docs/${name}.html`, documentOf(index, files, { title, content }).replaceAll('="./', '="../')]
  })
  const content = `${contentsHtml(null, '<!-- chapters -->')}\n<!-- operations -->`
  const operations = documentOf(index, files, { title: 'API reference', content })
  return new Map([...guides, ['docs.html', operations], ['docs/sections.json', JSON.stringify(sections)]])
}

function documentOf(index, { style, script }, { title, content }) {
  const changes = [
    ['<title>Quarry</title>', `<title>${title} · Quarry</title>`],
    // The theme is chosen before anything is shown.
    ['<script type="module"', '<script type="module" blocking="render"'],
    ['</head>', `<link rel="stylesheet" href="${style}" />\n<link rel="modulepreload" href="${script}" />\n</head>`],
    [/<noscript>.*<\/noscript>\s*/, ''],
    ['<div id="page"></div>', `<div id="page"><main id="main">\n<div class=docs>\n${content}\n</div>\n</main></div>`],
  ]
  return changes.reduce((html, [from, to]) => {
    const changed = html.replace(from, () => to)
    if (changed === html) throw new Error(`web/index.html has no ${from}, which documents below /docs need`)
    return changed
  }, index)
}

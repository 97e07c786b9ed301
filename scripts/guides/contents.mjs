// Lists all there is to read, in the order in which it is met.
import { escaped } from './article.mjs'

/** Guides under their headings: the file below docs/, the title, what is in it. */
export const GUIDE_GROUPS = [
  {
    title: 'Start',
    guides: [
      ['how-to/use-the-page', 'Use the page', 'what it can do, and its keys'],
      ['how-to/work-with-structure-files', 'Work with structure files', 'in, out, and what they become'],
      ['how-to/build-structures', 'Build structures', 'supercells, slabs, defects, strain'],
      ['how-to/store-calculations', 'Store calculations', 'runs, properties, phase diagrams'],
    ],
  },
  {
    title: 'For programs',
    guides: [
      ['reference/api', 'The HTTP API', 'envelope, credentials, lists, records'],
      ['reference/query-language', 'Query language', 'every operator of a query'],
      ['reference/query-language-projection', 'Projection', 'sort, skip, limit, fields'],
      ['reference/expressions', 'Expressions', 'every operator of $expr'],
      ['reference/records', 'Records', 'what each kind of record holds'],
      ['reference/formats', 'Formats', 'structure files that are read and written'],
      ['reference/optimade', 'OPTIMADE', 'the same materials for clients of that standard'],
      ['reference/errors', 'Errors', 'every code and what it stands for'],
      ['reference/warnings', 'Warnings', 'what stands beside an answer that was probably not meant'],
      ['reference/differences', 'Differences', 'to other servers of this interface, and to MongoDB'],
    ],
  },
  {
    title: 'For operators',
    guides: [
      ['how-to/run-it-for-a-lab', 'Run it for a lab', 'service, proxy, backups'],
      ['how-to/run-on-postgresql', 'Run it on PostgreSQL', 'several servers over one database'],
      ['how-to/add-a-record-kind', 'Add a kind of record', 'without code'],
      ['how-to/reproduce-a-wrong-answer', 'Reproduce a wrong answer', 'from a report to a case'],
      ['reference/configuration', 'Configuration', 'every setting'],
      ['reference/cli', 'Command line', 'every command'],
      ['reference/events', 'Events', 'what the log says'],
      ['reference/metrics', 'Metrics', 'for Prometheus'],
    ],
  },
]

/** Every guide: its file below docs/, without the ending; its name in addresses; its title. */
export const GUIDES = GUIDE_GROUPS.flatMap(({ guides }) =>
  guides.map(([file, title]) => ({ file, name: nameOf(file), title })),
)

/** Where a link in the file of a guide leads, from the root of the server; null where no reader of the page gets to. */
export function targetFrom(file) {
  return (href) => {
    if (/^(https?:|#)/.test(href)) return href
    const { pathname, hash } = new URL(href, `file:///${file}`)
    const found = GUIDES.find((guide) => pathname === `/${guide.file}.md`)
    return found === undefined ? null : `./docs/${found.name}${hash}`
  }
}

/**
 * Lists everything as HTML.
 * @param {string | null} shown the file of the guide that is shown; null for the operations
 * @param {string} chapters what the operations are grouped by, as HTML
 */
export function contentsHtml(shown, chapters = '') {
  const current = (isShown) => (isShown ? ' aria-current="page"' : '')
  const lists = GUIDE_GROUPS.map(({ title, guides }) => {
    const links = guides.map(
      ([file, name, words]) =>
        `<li><a href="./docs/${nameOf(file)}" title="${escaped(words)}"${current(file === shown)}>${name}</a></li>`,
    )
    return `<section>\n<h2>${title}</h2>\n<ul>\n${links.join('\n')}\n</ul>\n</section>`
  })
  return `<nav class="contents-of-docs" aria-label="Contents">
<details>
<summary>Contents</summary>
<h2><a href="./docs"${current(shown === null)}>Operations</a></h2>
${chapters}
${lists.join('\n')}
</details>
</nav>`
}

function nameOf(file) {
  return file.split('/').at(-1)
}

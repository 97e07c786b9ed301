import { wordsOf } from './description.ts'

/** A page of text that the server has. */
export interface Guide {
  /** In addresses: `/docs/NAME`; its text is `/docs/NAME.md`. */
  readonly name: string
  readonly folder: 'reference' | 'how-to'
  readonly title: string
  readonly words: string
}

/** Guides under a heading. */
export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
}

/** Every text, in the order in which they are met. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  group('Start', [
    ['how-to/use-the-page', 'Use the page', 'what it can do, and its keys'],
    ['how-to/work-with-structure-files', 'Work with structure files', 'in, out, and what they become'],
  ]),
  group('For programs', [
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
  ]),
  group('For operators', [
    ['how-to/run-it-for-a-lab', 'Run it for a lab', 'service, proxy, backups'],
    ['how-to/run-on-postgresql', 'Run it on PostgreSQL', 'several servers over one database'],
    ['how-to/add-a-record-kind', 'Add a kind of record', 'without code'],
    ['how-to/reproduce-a-wrong-answer', 'Reproduce a wrong answer', 'from a report to a case'],
    ['reference/configuration', 'Configuration', 'every setting'],
    ['reference/cli', 'Command line', 'every command'],
    ['reference/events', 'Events', 'what the log says'],
    ['reference/metrics', 'Metrics', 'for Prometheus'],
  ]),
]

const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)

export function guideOf(name: string): Guide | undefined {
  return GUIDES.find((guide) => guide.name === name)
}

/** Where a link within a guide leads: a path of the page, an address elsewhere, or nowhere that a reader of this page gets to. */
export type LinkTarget = { readonly to: string } | { readonly href: string } | null

/** Guides in whose title or description are all words of a search; none for no words. */
export function guidesLike(search: string): readonly Guide[] {
  const words = wordsOf(search)
  if (words.length === 0) return []
  return GUIDES.filter((guide) => {
    const all = `${guide.name} ${guide.title} ${guide.words}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** Follows a link as it is written in the file of a guide. */
export function targetOf(href: string, { folder }: Pick<Guide, 'folder'>): LinkTarget {
  if (/^https?:/.test(href)) return { href }
  if (href.startsWith('#')) return { href }
  const { pathname, hash } = new URL(href, `file:///docs/${folder}/`)
  const [, place, name = ''] = /^\/docs\/(reference|how-to)\/([\w-]+)\.md$/.exec(pathname) ?? []
  return guideOf(name)?.folder === place && place !== undefined ? { to: `/docs/${name}${hash}` } : null
}

type Row = readonly [file: string, title: string, words: string]

function group(title: string, rows: readonly Row[]): GuideGroup {
  const guides = rows.map(([file, heading, words]) => {
    const [folder, name = ''] = file.split('/')
    return { name, folder: folder as Guide['folder'], title: heading, words }
  })
  return { title, guides }
}

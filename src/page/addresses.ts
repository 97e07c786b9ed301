/** The addresses of the page: the server answers each with the page, the page shows what belongs to it. */

/** Names of the pages, and their paths, the first that fits counts; parameters are written `:id`. Any kind of record has those of a `:collection`. */
export const PAGE_PATHS = {
  home: '/',
  materials: '/materials',
  compare: '/materials/compare',
  newRecord: '/:collection/new',
  material: '/materials/:id',
  phaseDiagram: '/phase-diagram',
  sets: '/sets',
  set: '/sets/:id',
  import: '/import',
  removed: '/removed',
  account: '/account',
  organization: '/accounts/:id',
  docs: '/docs',
  guide: '/docs/:name',
  records: '/:collection',
  record: '/:collection/:id',
  editRecord: '/:collection/:id/edit',
} as const

export type PageName = keyof typeof PAGE_PATHS

export interface PageAddress {
  readonly page: PageName
  /** The values of the path's parameters. */
  readonly at: Readonly<Record<string, string>>
  readonly search: URLSearchParams
}

/** Reads an address; null where there is no such page. The path, with a slash before it, is below the one that the server may have. */
export function readPageAddress(path: string, search: URLSearchParams): PageAddress | null {
  const steps = stepsOf(path)
  for (const [page, pattern] of Object.entries(PAGE_PATHS) as [PageName, string][]) {
    const at = matched(stepsOf(pattern), steps)
    if (at !== null) return { page, at, search }
  }
  return null
}

export function pagePath(page: PageName, at: Readonly<Record<string, string>> = {}): string {
  return PAGE_PATHS[page].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(at[name] ?? ''))
}

/** The page of a record, whatever kind it is of. */
export function recordPath(collection: string, id: string): string {
  return pagePath('record', { collection, id })
}

function matched(pattern: readonly string[], steps: readonly string[]): Record<string, string> | null {
  if (pattern.length !== steps.length) return null
  const at: Record<string, string> = {}
  for (const [index, step] of steps.entries()) {
    const name = pattern[index] ?? ''
    if (name.startsWith(':')) at[name.slice(1)] = decoded(step)
    else if (name !== step) return null
  }
  return at
}

function stepsOf(path: string): string[] {
  return path.split('/').filter((step) => step !== '')
}

/** A wrong encoding stands for itself. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** What is asked of a list, as it is typed. */
export interface Asked {
  readonly query: string
  readonly sort: string
  readonly limit: string
  readonly skip: string
}

const DEFAULT_LIMIT = '25'

export function readAsked(search: URLSearchParams): Asked {
  const text = (name: string) => search.get(name) ?? ''
  return { query: text('query'), sort: text('sort'), limit: text('limit') || DEFAULT_LIMIT, skip: text('skip') }
}

/** The path of the page that asks for this; what goes without saying is left out. */
export function listPath(collection: string, asked: Asked): string {
  const given = { ...asked, limit: asked.limit === DEFAULT_LIMIT ? '' : asked.limit }
  const search = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
  return search.size === 0 ? `/${collection}` : `/${collection}?${search}`
}

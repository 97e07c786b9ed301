/** The one version of the API; it is in the path and nowhere else. */
export const API_VERSION = '2018-10-01'
export const API_PREFIX = `/api/${API_VERSION}`

/** Addresses that answer what the canonical one answers: the Python client's default version, and the bare version. */
const ALIASES = ['/api/2018-10-1', `/${API_VERSION}`] as const

const VERSION_LIKE = /^(?:v\d{1,4}|\d{4}-\d{1,2}-\d{1,2})$/

/** Gives the canonical form of a request target; runs before routing, for every request. */
export function canonicalTarget(target: string): string {
  const path = target.startsWith('/') ? target : withoutOrigin(target)
  for (const alias of ALIASES) {
    if (path.startsWith(alias) && endsSegment(path, alias.length)) return API_PREFIX + path.slice(alias.length)
  }
  return path
}

/** A client that takes the server for a proxy sends `http://host/path`, which a server must accept (RFC 9112, 3.2.2). */
function withoutOrigin(target: string): string {
  const scheme = /^https?:\/\//i.exec(target)
  if (scheme === null) return target
  const end = target.slice(scheme[0].length).search(/[/?#]/)
  if (end === -1) return '/'
  const rest = target.slice(scheme[0].length + end)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function endsSegment(path: string, index: number): boolean {
  return index === path.length || path[index] === '/' || path[index] === '?'
}

/** Takes the path and the raw query string of a request target apart. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?')
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** The version that a path asks for when it is another than the one there is, else null. */
export function foreignVersion(path: string): string | null {
  const [, first = '', second = ''] = path.split('/', 3)
  const version = first === 'api' ? second : first
  return VERSION_LIKE.test(version) && version !== API_VERSION ? version : null
}

export const FILE_LINKS = `${API_PREFIX}/file-links`

/** Address at which the bearer of a link reads a file, or puts one. */
export function fileLink(base: string, link: string): string {
  return `${base}${FILE_LINKS}?link=${encodeURIComponent(link)}`
}

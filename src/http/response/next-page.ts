import { isJsonObject, type Json } from '../../kernel/json.ts'
import type { QueryBounds } from '../../query/bounds.ts'
import { parseQueryText } from '../../query/parse/parse-query-text.ts'
import { splitTarget } from '../address.ts'
import { readParameters } from '../request/parameters.ts'

/** Clients of HTTP read 16 KiB of headers and no more; a list with a longer address has the cursor alone. */
const LONGEST_LINK = 8 * 1024

/** Gives the headers that lead from a page to the one after it, in the flat form of answers; none lead from the last. */
export function nextPageHeaders(target: string, next: string | null, bounds: QueryBounds): readonly string[] {
  if (next === null) return []
  const link = `<${nextTarget(target, next, bounds)}>; rel="next"`
  return ['x-next-cursor', next, ...(link.length > LONGEST_LINK ? [] : ['link', link])]
}

/** The same list from the cursor on: what `skip` has skipped is behind it. */
function nextTarget(target: string, next: string, bounds: QueryBounds): string {
  const { path, query } = splitTarget(target)
  const parameters = new Map(readParameters(query))
  const text = parameters.get('projection')
  const given = text === undefined ? {} : parseQueryText(text, bounds, 'projection')
  const kept = isJsonObject(given) ? Object.entries(given).filter(([key]) => key !== 'skip' && key !== 'after') : []
  const projection: Json = Object.fromEntries([...kept, ['after', next]])
  parameters.delete('skip')
  parameters.set('projection', JSON.stringify(projection))
  const pairs = [...parameters].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return `${path}?${pairs.join('&')}`
}

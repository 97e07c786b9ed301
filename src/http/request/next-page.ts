import { isJsonObject, type Json } from '../../kernel/json.ts'
import { parseQueryText } from '../../query/context.ts'
import type { QueryBounds } from '../../query/plan.ts'
import { splitTarget } from '../address.ts'
import { readParameters } from './parameters.ts'

/** Clients of HTTP read 16 KiB of headers and no more; a list with a longer address has the cursor alone. */
const LONGEST_PATH = 8 * 1024

/** Cursor and path of the next page. */
export interface NextAddress {
  readonly cursor: string
  /** Path and query of the page; null when that is too long for a header. */
  readonly path: string | null
}

/** Gives what leads to the next page; nothing leads from the last. */
export type NextPage = (cursor: string | null) => NextAddress | null

/** Prepares the way on from the pages of a list; its address is taken apart once, when a page first has one after it. */
export function nextPageOf(target: string, bounds: QueryBounds): NextPage {
  let address: { readonly before: string; readonly after: string } | null = null
  return (cursor) => {
    if (cursor === null) return null
    address ??= aroundCursor(target, bounds)
    const path = `${address.before}${encodeURIComponent(JSON.stringify(cursor))}${address.after}`
    return { cursor, path: path.length > LONGEST_PATH ? null : path }
  }
}

/** The address of the same list from a cursor on, without the cursor: what `skip` has skipped is behind it. */
function aroundCursor(target: string, bounds: QueryBounds): { before: string; after: string } {
  const { path, query } = splitTarget(target)
  const parameters = new Map(readParameters(query))
  const text = parameters.get('projection')
  const given = text === undefined ? {} : parseQueryText(text, bounds, 'projection')
  const kept = isJsonObject(given) ? Object.entries(given).filter(([key]) => key !== 'skip' && key !== 'after') : []
  parameters.delete('skip')
  parameters.delete('projection')
  const others = [...parameters].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
  const projection = JSON.stringify(Object.fromEntries([...kept, ['after', null]]) as Json)
  const opened = projection.slice(0, projection.lastIndexOf('null'))
  return {
    before: `${path}?${others.join('')}projection=${encodeURIComponent(opened)}`,
    after: encodeURIComponent('}'),
  }
}

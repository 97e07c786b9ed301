import { sql } from '../../../query/sql/sql-fragment.ts'
import { ANY_SHAPE } from '../shape.ts'
import { atMost } from './at-most.ts'
import type { Reader } from './reader.ts'

/** Collections with more orders of fields than this are taken to have every order. */
const MOST_SHAPES = 500

/**
 * Brings fields into the one order in which all documents of a collection have them; null when documents differ in that.
 */
export function keyOrder(reader: Reader, collection: number, keys: readonly string[]): readonly string[] | null {
  if (keys.length < 2) return keys
  const shapes = reader.statements.column(
    sql`SELECT keys FROM shape WHERE collection = ${collection} ${atMost(MOST_SHAPES + 1)}`,
  ) as string[]
  if (shapes.length > MOST_SHAPES || shapes.includes(ANY_SHAPE)) return null
  const wanted = new Set(keys)
  const after = new Map(keys.map((key) => [key, new Set<string>()]))
  for (const shape of shapes) {
    const present = (JSON.parse(shape) as string[]).filter((key) => wanted.has(key))
    present.forEach((key, at) => {
      for (const later of present.slice(at + 1)) after.get(key)?.add(later)
    })
  }
  return sorted(after)
}

/** Takes, again and again, a key that none of the others must come before; null when there is none. */
function sorted(after: Map<string, ReadonlySet<string>>): readonly string[] | null {
  const left = new Map(after)
  const order: string[] = []
  while (left.size > 0) {
    const next = [...left.keys()].find((key) => ![...left].some(([other, later]) => other !== key && later.has(key)))
    if (next === undefined) return null
    order.push(next)
    left.delete(next)
  }
  return order
}

import type { Relation } from './provenance.ts'
import { originsOf } from './reduced-links.ts'

/** A column of the drawing, from above: records, and places where a long link passes. */
export type Layer = readonly string[]

/** A link from column to column: `from` is made of `to`. */
export interface Step {
  readonly from: string
  readonly to: string
}

/** Columns of a graph, with long links cut into steps. */
export interface Layered {
  readonly layers: readonly Layer[]
  readonly steps: readonly Step[]
  /** Places that each link passes, from what it was made from to what was made. */
  readonly ways: ReadonlyMap<Relation, readonly string[]>
}

const SWEEPS = 6

/** Puts each record in a column behind all that it was made from, and records in an order in which few links cross. */
export function layered(keys: readonly string[], links: readonly Relation[]): Layered {
  const depths = depthsOf(keys, links)
  const layers: string[][] = []
  const place = (key: string, depth: number) => {
    layers[depth] ??= []
    layers[depth]?.push(key)
  }
  for (const key of keys) place(key, depths.get(key) ?? 0)
  const ways = new Map<Relation, readonly string[]>()
  const steps: Step[] = []
  for (const [index, link] of links.entries()) {
    const [start, end] = [depths.get(link.to) ?? 0, depths.get(link.from) ?? 0]
    const passed: string[] = []
    for (let depth = start + 1; depth < end; depth++) {
      passed.push(`way ${index} ${depth}`)
      place(`way ${index} ${depth}`, depth)
    }
    const way = [link.to, ...passed, link.from]
    ways.set(link, way)
    for (const [at, to] of way.slice(0, -1).entries()) steps.push({ from: way[at + 1] ?? '', to })
  }
  return { layers: ordered(layers, steps), steps, ways }
}

/** Columns of all records: behind what each was made from, and what was made of nothing right before the first that was made of it. */
function depthsOf(keys: readonly string[], links: readonly Relation[]): ReadonlyMap<string, number> {
  const origins = originsOf(links)
  const depths = new Map<string, number>()
  const onTheWay = new Set<string>()
  const depthOf = (key: string): number => {
    const known = depths.get(key)
    if (known !== undefined) return known
    // Records may name each other: the way ends where it began.
    if (onTheWay.has(key)) return -1
    onTheWay.add(key)
    const depth = Math.max(-1, ...(origins.get(key) ?? []).map(depthOf)) + 1
    onTheWay.delete(key)
    depths.set(key, depth)
    return depth
  }
  for (const key of keys) depthOf(key)
  for (const key of keys) {
    if ((origins.get(key) ?? []).length > 0) continue
    const made = links.flatMap(({ from, to }) => (to === key ? [depths.get(from) ?? 0] : []))
    if (made.length > 0) depths.set(key, Math.max(0, Math.min(...made) - 1))
  }
  return depths
}

/** Sorts each column by where its neighbours stand, to and fro. */
function ordered(layers: readonly (readonly string[])[], steps: readonly Step[]): readonly Layer[] {
  const sorted = layers.map((layer) => [...layer])
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForth = sweep % 2 === 0
    const order = isForth ? sorted.keys() : [...sorted.keys()].reverse()
    for (const depth of order) {
      const beside = sorted[isForth ? depth - 1 : depth + 1]
      if (beside === undefined) continue
      const place = new Map(beside.map((key, at) => [key, at / beside.length]))
      const own = sorted[depth] ?? []
      const wanted = new Map(
        own.map((key, at) => [key, meanOf(neighboursOf(key, steps, isForth), place) ?? at / own.length]),
      )
      own.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0))
    }
  }
  return sorted
}

export function neighboursOf(key: string, steps: readonly Step[], isForth: boolean): readonly string[] {
  return steps.flatMap(({ from, to }) => (isForth ? (from === key ? [to] : []) : to === key ? [from] : []))
}

/** The mean place of some; undefined where none has one. */
export function meanOf(keys: readonly string[], places: ReadonlyMap<string, number>): number | undefined {
  const known = keys.flatMap((key) => places.get(key) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, place) => sum + place, 0) / known.length
}

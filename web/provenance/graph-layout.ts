import type { Gathered } from './gathered.ts'
import { type Layer, type Layered, layered, meanOf, neighboursOf, type Step } from './layers.ts'
import type { Relation } from './provenance.ts'

/** CSS pixels of a record, and between records. */
export const NODE = { width: 184, height: 48 } as const
const GAP = { x: 132, y: 16 } as const
/** Pixels of a link before what was made, over which its word stands. */
const LEVEL = 78
/** Pixels that a passing link takes of a column. */
const WAY_HEIGHT = 14
const ROUNDS = 8

export interface GraphPlace {
  /** Left end of a record. */
  readonly x: number
  /** Its middle. */
  readonly y: number
}

export interface DrawnLink {
  readonly link: Relation
  /** Places from the right end of what was there before to where the word of the link begins. */
  readonly way: readonly GraphPlace[]
  /** At the left end of what was made. */
  readonly end: GraphPlace
}

export interface GraphLayout {
  readonly width: number
  readonly height: number
  readonly places: ReadonlyMap<string, GraphPlace>
  readonly links: readonly DrawnLink[]
  /** Records as they are read: column by column, from above. */
  readonly order: readonly string[]
}

/** Places of all records and links. */
export function graphLayout({ records, links }: Gathered): GraphLayout {
  const keys = records.map(({ key }) => key)
  const graph = layered(keys, links)
  const middles = middlesOf(graph, new Set(keys))
  const least = Math.min(...middles.values()) - NODE.height / 2
  const places = new Map<string, GraphPlace>()
  for (const [depth, layer] of graph.layers.entries())
    for (const key of layer) places.set(key, { x: depth * (NODE.width + GAP.x), y: (middles.get(key) ?? 0) - least })
  return {
    width: graph.layers.length * (NODE.width + GAP.x) - GAP.x,
    height: Math.max(...middles.values()) - least + NODE.height / 2,
    places,
    links: drawnLinks(graph, places),
    order: graph.layers.flat().filter((key) => !key.startsWith('way ')),
  }
}

/** Heights of all: near to those of the neighbours, without touching each other. */
function middlesOf({ layers, steps }: Layered, records: ReadonlySet<string>): ReadonlyMap<string, number> {
  const middles = new Map<string, number>()
  for (const layer of layers) spread(layer, (_, at) => at * (NODE.height + GAP.y), { records, middles })
  for (let round = 0; round < ROUNDS; round++) {
    const isForth = round % 2 === 0
    for (const layer of isForth ? layers : layers.toReversed())
      spread(layer, (key) => wantedFor(key, steps, middles, isForth), { records, middles })
  }
  return middles
}

function wantedFor(
  key: string,
  steps: readonly Step[],
  middles: ReadonlyMap<string, number>,
  isForth: boolean,
): number {
  return meanOf(neighboursOf(key, steps, isForth), middles) ?? middles.get(key) ?? 0
}

interface SpreadOver {
  readonly records: ReadonlySet<string>
  readonly middles: Map<string, number>
}

/** Puts a column where it is wanted, as far as there is room: what is too near goes down, then all go up by as much as they went down on the whole. */
function spread(layer: Layer, wantedAt: (key: string, at: number) => number, { records, middles }: SpreadOver): void {
  const sizes = layer.map((key) => (records.has(key) ? NODE.height : WAY_HEIGHT))
  const wanted = layer.map(wantedAt)
  const placed: number[] = []
  for (const [at, want] of wanted.entries()) {
    const before = placed[at - 1]
    const room = ((sizes[at - 1] ?? 0) + (sizes[at] ?? 0)) / 2 + GAP.y
    placed.push(before === undefined ? want : Math.max(want, before + room))
  }
  const down = placed.reduce((sum, place, at) => sum + place - (wanted[at] ?? 0), 0) / Math.max(1, placed.length)
  for (const [at, key] of layer.entries()) middles.set(key, (placed[at] ?? 0) - down)
}

/** Links end below each other at the left side of a record, one place for each word. */
function drawnLinks({ ways }: Layered, places: ReadonlyMap<string, GraphPlace>): readonly DrawnLink[] {
  const words = new Map<string, string[]>()
  const byHeight = [...ways].sort(([, one], [, other]) => heightBefore(one, places) - heightBefore(other, places))
  for (const [{ from, how }] of byHeight) {
    const known = words.get(from) ?? []
    if (!known.includes(how)) words.set(from, [...known, how])
  }
  return [...ways].map(([link, way]) => {
    const all = words.get(link.from) ?? []
    const port = ((all.indexOf(link.how) + 0.5) / all.length - 0.5) * NODE.height
    const passed = way.map((key, at): GraphPlace => {
      const { x, y } = places.get(key) ?? { x: 0, y: 0 }
      if (at === 0) return { x: x + NODE.width, y }
      return at === way.length - 1 ? { x: x - LEVEL, y: y + port } : { x: x + NODE.width / 2, y }
    })
    const last = passed.at(-1) ?? { x: 0, y: 0 }
    return { link, way: passed, end: { x: last.x + LEVEL, y: last.y } }
  })
}

function heightBefore(way: readonly string[], places: ReadonlyMap<string, GraphPlace>): number {
  return places.get(way.at(-2) ?? '')?.y ?? 0
}

import type { JsonObject } from '../src/kernel/json.ts'

/** The parts of a document that workloads look at. */
export interface BenchDocument extends JsonObject {
  readonly _id: string
  readonly name: string
  readonly formula: string
  readonly createdAt: string
  readonly tags: readonly string[]
  readonly lattice: { readonly type: string; readonly a: number; readonly c: number }
  readonly basis: { readonly elements: readonly { readonly id: number; readonly value: string }[] }
  readonly bench: {
    readonly serial: number
    readonly rare: number
    readonly group: number
    readonly converged: boolean
    readonly energyEv: number
    readonly note: string
  }
  readonly screening: {
    readonly kpoints: readonly number[]
    readonly magnetization?: number
    readonly bandGapsEv: readonly { readonly kind: string; readonly value: number }[]
  }
}

/** A list request, and the same question in plain code, so that no server is its own judge. */
export interface ListWorkload {
  readonly kind: 'list'
  readonly id: string
  readonly title: string
  readonly query: JsonObject
  readonly projection: {
    readonly sort: { readonly [path: string]: 1 | -1 }
    readonly fields?: { readonly [path: string]: 1 }
    readonly skip?: number
    readonly limit: number
  }
  readonly selects: (document: BenchDocument) => boolean
}

/** One record by its id, a different one each time. */
export interface ReadWorkload {
  readonly kind: 'read'
  readonly id: string
  readonly title: string
  /** How many different records are read in turn. */
  readonly records: number
}

/** What is asked again and again. */
export type Workload = ListWorkload | ReadWorkload

/** Documents of a page. */
export const LIMIT = 50
export const isFcc = (document: BenchDocument): boolean => document.lattice.type === 'FCC'

/** Pages by name: whole documents, their names, and five fields of them. */
export const PAGES = {
  whole: { sort: { name: 1 }, limit: LIMIT },
  names: { sort: { name: 1 }, fields: { name: 1 }, limit: LIMIT },
  fiveFields: {
    sort: { name: 1 },
    fields: { name: 1, formula: 1, tags: 1, 'lattice.a': 1, 'bench.energyEv': 1 },
    limit: LIMIT,
  },
} as const

const isRare = (document: BenchDocument): boolean => document.bench.rare === 7

/** What every server is asked, peers included. */
export const WORKLOADS: readonly Workload[] = [
  { kind: 'read', id: 'A', title: 'one material by id', records: 200 },
  {
    kind: 'list',
    id: 'B',
    title: 'lattice.type FCC, sort name, 50 documents',
    query: { 'lattice.type': 'FCC' },
    projection: PAGES.whole,
    selects: isFcc,
  },
  {
    kind: 'list',
    id: 'C',
    title: 'the same, only name',
    query: { 'lattice.type': 'FCC' },
    projection: PAGES.names,
    selects: isFcc,
  },
  {
    kind: 'list',
    id: 'F',
    title: 'a field that users invented, 0.1 % match, sort name, 50 documents',
    query: { 'bench.rare': 7 },
    projection: PAGES.whole,
    selects: isRare,
  },
  {
    kind: 'list',
    id: 'F5',
    title: 'the same, five fields',
    query: { 'bench.rare': 7 },
    projection: PAGES.fiveFields,
    selects: isRare,
  },
]

import { type BenchDocument, LIMIT, type ListWorkload, PAGES, WORKLOADS, type Workload } from './workloads.ts'

/** Questions of one form, each asked once: what a server remembers of one does not help with the next. */
export interface NeverAskedLists {
  readonly kind: 'new lists'
  readonly id: string
  readonly title: string
  /** Asked before, so that the code of this form is compiled: each of them only once, too. */
  readonly warming: readonly ListWorkload[]
  readonly timed: readonly ListWorkload[]
}

/** Records that nobody has asked for. */
export interface NeverAskedRecords {
  readonly kind: 'new records'
  readonly id: string
  readonly title: string
  readonly records: number
}

export type NeverAsked = NeverAskedLists | NeverAskedRecords

const TIMED = 300
/** Other values for what warms up, each asked with as many limits. */
const WARMING_VALUES = 100
const WARMING_LIMITS = 25

type Question = Pick<ListWorkload, 'query' | 'selects'>

/** What a form asks with its `n`th value, of a thousand that differ. */
type Form = (n: number) => Question

/** Apart from each other: lists with whole documents, lists with some fields, what warms up. */
const FIRST_VALUE = { whole: 100, fields: 400, warming: 800 }

/** All sets of lattice types with FCC in them: as wide as B and C ask. */
const OTHER_TYPES = ['CUB', 'HEX', 'BCC', 'RHL', 'TET', 'BCT', 'MCLC', 'MCL', 'ORCC', 'TRI']
const typesOf: Form = (n) => {
  const types = new Set(['FCC', ...OTHER_TYPES.filter((_, at) => (n >> at) % 2 === 1)])
  return {
    query: { 'lattice.type': { $in: [...types] } },
    selects: ({ lattice }: BenchDocument) => types.has(lattice.type),
  }
}

/** As F and F5 ask. */
const rare: Form = (n) => ({ query: { 'bench.rare': n }, selects: ({ bench }) => bench.rare === n })

/** Half of the documents and more. */
const energyBelow: Form = (n) => {
  const bound = -6 + n / 200
  return { query: { 'bench.energyEv': { $lt: bound } }, selects: ({ bench }) => bench.energyEv < bound }
}

const TWO_KEYS = { ...PAGES.whole, sort: { 'lattice.type': 1, name: -1 } } as const

/** Of another value each, whole documents: asked of a server that has just started, their documents are in no memory of it. */
export const NEW_RARE = listsOf({ id: 'NF', title: 'as F, each time of another value' }, rare, PAGES.whole)

/** Like what is asked again and again, with other values. */
const NEVER_ASKED: readonly NeverAsked[] = [
  { kind: 'new records', id: 'NA', title: 'as A, each record for the first time', records: TIMED },
  listsOf({ id: 'NB', title: 'as B, each time of other lattice types' }, typesOf, PAGES.whole),
  listsOf({ id: 'NC', title: 'as C, each time of other lattice types' }, typesOf, PAGES.names, FIRST_VALUE.fields),
  NEW_RARE,
  listsOf({ id: 'NF5', title: 'as F5, each time of another value' }, rare, PAGES.fiveFields, FIRST_VALUE.fields),
  listsOf({ id: 'N2', title: 'two sort keys, each time another range of energies' }, energyBelow, TWO_KEYS),
]

function listsOf(
  about: Pick<NeverAskedLists, 'id' | 'title'>,
  form: Form,
  projection: ListWorkload['projection'],
  first = FIRST_VALUE.whole,
): NeverAskedLists {
  const list = (n: number, limit: number): ListWorkload => ({
    kind: 'list',
    id: `${about.id} ${n} ${limit}`,
    title: '',
    projection: { ...projection, limit },
    ...form(n),
  })
  const timed = Array.from({ length: TIMED }, (_, at) => list(first + at, LIMIT))
  const warming = Array.from({ length: WARMING_VALUES * WARMING_LIMITS }, (_, at) =>
    list(FIRST_VALUE.warming + (at % WARMING_VALUES), LIMIT - Math.floor(at / WARMING_VALUES)),
  )
  return { kind: 'new lists', ...about, warming, timed }
}

/** All that servers are asked in rounds. */
export type AskedWorkload = Workload | NeverAsked
export const ASKED: readonly AskedWorkload[] = [...WORKLOADS, ...NEVER_ASKED]

/** The lists of a workload that are held to their right answers. */
export function judgedListsOf(workload: AskedWorkload): readonly ListWorkload[] {
  if (workload.kind === 'new lists') return workload.timed
  return workload.kind === 'list' ? [workload] : []
}

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

/** Many lists, each of which is timed the first time that it is asked: their documents are in no memory of the server. */
export interface FreshWorkload {
  readonly kind: 'fresh'
  readonly id: string
  readonly title: string
  /** Asked before, so that what all of them need is there: compiled code, indexes, columns. */
  readonly warming: readonly ListWorkload[]
  readonly timed: readonly ListWorkload[]
}

export type Workload = ListWorkload | ReadWorkload | FreshWorkload

/** The lists that a workload asks. */
export function listsOf(workload: Workload): readonly ListWorkload[] {
  if (workload.kind === 'fresh') return [...workload.warming, ...workload.timed]
  return workload.kind === 'list' ? [workload] : []
}

const LIMIT = 50
const isFcc = (document: BenchDocument): boolean => document.lattice.type === 'FCC'
const isRare = (document: BenchDocument): boolean => document.bench.rare === 7
const has = (document: BenchDocument, element: string): boolean =>
  document.basis.elements.some(({ value }) => value === element)

/** As F asks, with another value. */
function rareList(rare: number): ListWorkload {
  return {
    kind: 'list',
    id: `N ${rare}`,
    title: '',
    query: { 'bench.rare': rare },
    projection: { sort: { name: 1 }, limit: LIMIT },
    selects: ({ bench }) => bench.rare === rare,
  }
}

const RARE_LISTS = Array.from({ length: 500 }, (_, index) => rareList(100 + index))

/** What every server is asked, peers included (but for lists that are asked once). */
export const WORKLOADS: readonly Workload[] = [
  { kind: 'read', id: 'A', title: 'one material by id', records: 200 },
  {
    kind: 'list',
    id: 'B',
    title: 'lattice.type FCC, sort name, 50 documents',
    query: { 'lattice.type': 'FCC' },
    projection: { sort: { name: 1 }, limit: LIMIT },
    selects: isFcc,
  },
  {
    kind: 'list',
    id: 'C',
    title: 'the same, only name',
    query: { 'lattice.type': 'FCC' },
    projection: { sort: { name: 1 }, fields: { name: 1 }, limit: LIMIT },
    selects: isFcc,
  },
  {
    kind: 'list',
    id: 'F',
    title: 'a field that users invented, 0.1 % match, sort name, 50 documents',
    query: { 'bench.rare': 7 },
    projection: { sort: { name: 1 }, limit: LIMIT },
    selects: isRare,
  },
  {
    kind: 'list',
    id: 'F5',
    title: 'the same, five fields',
    query: { 'bench.rare': 7 },
    projection: {
      sort: { name: 1 },
      fields: { name: 1, formula: 1, tags: 1, 'lattice.a': 1, 'bench.energyEv': 1 },
      limit: LIMIT,
    },
    selects: isRare,
  },
  {
    kind: 'fresh',
    id: 'N',
    title: '400 lists as F, of other values, each asked for the first time',
    warming: RARE_LISTS.slice(0, 100),
    timed: RARE_LISTS.slice(100),
  },
]

/** A row of the query table: what answers it at best, an index or a scan; `deep` is an index that is walked far. */
export interface QueryRow extends ListWorkload {
  readonly served: 'index' | 'scan' | 'deep'
}

type RowQuestion = Omit<QueryRow, 'kind' | 'projection' | 'served'> & {
  readonly sort?: QueryRow['projection']['sort']
  readonly skip?: number
  readonly served?: QueryRow['served']
}

function row({ sort = { name: 1 }, skip, served = 'index', ...question }: RowQuestion): QueryRow {
  const projection = { sort, limit: LIMIT, ...(skip === undefined ? {} : { skip }) }
  return { kind: 'list', served, projection, ...question }
}

/** What Quarry alone is asked, one request at a time: selective and broad filters, sorts that help and that do not, deep pages. */
export const QUERY_TABLE: readonly QueryRow[] = [
  row({
    id: 'Q1',
    title: 'one document',
    query: { 'bench.serial': 1234 },
    selects: ({ bench }) => bench.serial === 1234,
  }),
  row({ id: 'Q2', title: '0.8 %', query: { 'bench.group': 17 }, selects: ({ bench }) => bench.group === 17 }),
  row({
    id: 'Q3',
    title: '40 % boolean',
    query: { 'bench.converged': true },
    selects: ({ bench }) => bench.converged,
  }),
  row({
    id: 'Q4',
    title: '40 % boolean',
    query: { 'bench.converged': true },
    sort: { 'lattice.a': -1 },
    selects: ({ bench }) => bench.converged,
  }),
  row({
    id: 'Q5',
    title: '40 % boolean, skip 10 000',
    query: { 'bench.converged': true },
    skip: 10_000,
    selects: ({ bench }) => bench.converged,
  }),
  row({ id: 'Q6', title: '30 % lattice.type', query: { 'lattice.type': 'FCC' }, selects: isFcc }),
  row({
    id: 'Q7',
    title: 'range on lattice.a',
    query: { 'lattice.a': { $gte: 5.4, $lt: 5.43 } },
    selects: ({ lattice }) => lattice.a >= 5.4 && lattice.a < 5.43,
  }),
  row({
    id: 'Q8',
    title: 'a tag, one of many',
    query: { tags: 'batch-42' },
    selects: ({ tags }) => tags.includes('batch-42'),
  }),
  row({
    id: 'Q9',
    title: 'an element',
    query: { 'basis.elements.value': 'Au' },
    selects: (document) => has(document, 'Au'),
  }),
  row({
    id: 'Q10',
    title: '$all of two elements and lattice.type',
    query: { 'basis.elements.value': { $all: ['Si', 'O'] }, 'lattice.type': { $in: ['HEX', 'TET', 'FCC'] } },
    selects: (document) =>
      has(document, 'Si') && has(document, 'O') && ['HEX', 'TET', 'FCC'].includes(document.lattice.type),
  }),
  row({ id: 'Q11', title: 'none, skip 10 000', query: {}, skip: 10_000, selects: () => true }),
  row({ id: 'Q12', title: 'none, newest first', query: {}, sort: { createdAt: -1 }, selects: () => true }),
  row({
    id: 'Q13',
    title: '20 ids by $in',
    query: { 'bench.serial': { $in: Array.from({ length: 20 }, (_, index) => index * 97) } },
    selects: ({ bench }) => bench.serial < 20 * 97 && bench.serial % 97 === 0,
  }),
  row({
    id: 'Q14',
    title: 'two ranges of a measured number by $or',
    query: { $or: [{ 'bench.energyEv': { $gt: -0.05 } }, { 'bench.energyEv': { $lt: -11.95 } }] },
    sort: { 'bench.energyEv': 1 },
    selects: ({ bench }) => bench.energyEv > -0.05 || bench.energyEv < -11.95,
  }),
  row({
    id: 'Q15',
    title: 'everything but a value by $ne, two sort keys',
    query: { 'lattice.type': { $ne: 'FCC' } },
    sort: { 'lattice.type': 1, name: -1 },
    selects: (document) => !isFcc(document),
  }),
  row({
    id: 'Q16',
    title: '30 % $exists',
    query: { 'screening.magnetization': { $exists: true } },
    sort: { createdAt: -1 },
    selects: ({ screening }) => screening.magnetization !== undefined,
  }),
  row({
    id: 'Q17',
    title: 'names that begin with Si by $regex',
    query: { name: { $regex: '^Si' } },
    selects: ({ name }) => name.startsWith('Si'),
  }),
  row({
    id: 'Q18',
    title: '$elemMatch over objects',
    query: { 'screening.bandGapsEv': { $elemMatch: { kind: 'direct', value: { $gt: 5.95 } } } },
    selects: ({ screening }) => screening.bandGapsEv.some(({ kind, value }) => kind === 'direct' && value > 5.95),
  }),
  row({
    id: 'S1',
    title: 'scan: two fields compared by $expr',
    served: 'scan',
    query: { $expr: { $gt: ['$bench.group', '$bench.rare'] } },
    selects: ({ bench }) => bench.group > bench.rare,
  }),
  row({
    id: 'S2',
    title: 'scan: text inside a note by $regex',
    served: 'scan',
    query: { 'bench.note': { $regex: 'surface (doped|alloy)$' } },
    selects: ({ bench }) => /surface (doped|alloy)$/.test(bench.note),
  }),
  row({ id: 'D1', title: 'none, skip 500 000', served: 'deep', query: {}, skip: 500_000, selects: () => true }),
]

import type { JsonObject } from '../src/kernel/json.ts'
import { type BenchDocument, isFcc, LIMIT, type ListWorkload } from './workloads.ts'

const has = (document: BenchDocument, element: string): boolean =>
  document.basis.elements.some(({ value }) => value === element)

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

/** A question about one field alone. */
export interface FieldQuestion {
  readonly field: string
  readonly query: JsonObject
}

const askOf = (field: string, condition: JsonObject[string]): FieldQuestion => ({
  field,
  query: { [field]: condition },
})

/** A question for each field that the table filters or sorts by. */
export const FIELD_QUESTIONS: readonly FieldQuestion[] = [
  askOf('bench.serial', 1234),
  askOf('bench.group', 17),
  askOf('bench.converged', true),
  askOf('bench.energyEv', { $lt: -11.95 }),
  askOf('bench.rare', { $lt: 8 }),
  askOf('bench.note', { $regex: '^stable' }),
  askOf('lattice.a', { $gte: 5.4, $lt: 5.43 }),
  askOf('lattice.type', 'FCC'),
  askOf('tags', 'batch-42'),
  askOf('basis.elements.value', 'Au'),
  askOf('createdAt', { $gte: '2019-02' }),
  askOf('name', { $regex: '^Si' }),
  askOf('screening.magnetization', { $exists: true }),
  askOf('screening.bandGapsEv', { $elemMatch: { kind: 'direct', value: { $gt: 5.95 } } }),
]

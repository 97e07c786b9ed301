import type { Json, JsonObject } from '../../src/kernel/json.ts'

/** A value that is not what the field has, or a field that no record has; and what it is told of by. */
export interface WrittenMistake {
  readonly path: string
  readonly value: Json
  readonly code: number
}

const row = (path: string, value: Json, code: number): WrittenMistake => ({ path, value, code })

/** Mistakes by kind, each of a field and a value, whatever the operator. */
export const WRITTEN_MISTAKES: readonly WrittenMistake[] = [
  ...['latice.a', 'lattice.aa', 'nsites', 'n_sites', 'Formula', 'fromula', 'nSites.0', 'lattice.a.0', 'lattice/a'].map(
    (path) => row(path, 3, 20001),
  ),
  ...['pretty_formula', 'material_id', 'basis.elements.valeu', 'basis.elements.0.name', 'tag', 'owner.nmae'].map(
    (path) => row(path, 'Si', 20001),
  ),
  ...['2', ' 2 ', '2.0', '>=2', '2-4', 'two', '2 atoms', 'NaN', '1e1', true, { gt: 2 }, { '>=': 2 }].map((value) =>
    row('nSites', value, typeof value === 'object' ? 20003 : 20002),
  ),
  ...['3.867', '3,867', '3.5 Å', '−3', '$lattice.b', '{"$gt":3}'].map((value) => row('lattice.a', value, 20002)),
  ...['true', 'yes', 'False', 1, 0].map((value) => row('isPublic', value, 20002)),
  ...[5, true, 2.5].map((value) => row('name', value, 20002)),
  ...['FCC', 3].map((value) => row('lattice', value, 20002)),
  ...['/si/', '/Si/i', 'Sil%', '%sil%', 'Si*', 'Si.*'].map((value) => row('name', value, 20004)),
  ...['$formula', '{"$regex":"Si"}'].map((value) => row('name', value, 20010)),
  ...['ClNa', 'O2Ti', 'si', 'silicon', 'SiO₂', 'Ti-O', 'quartz'].map((value) => row('formula', value, 20006)),
  ...['si', 'Silicon', 'Ti,O', 'Xx'].map((value) => row('elements', value, 20006)),
  ...['fcc', 'cubic'].map((value) => row('lattice.type', value, 20006)),
  ...['mp-149', 'MP-149'].map((value) => row('_id', value, 20006)),
  ...['01/05/2024', 'yesterday'].map((value) => row('createdAt', value, 20006)),
  row('createdAt', 1_700_000_000, 20002),
  ...[['Si', 'Ge'], ['x']].map((value) => row('formula', value, 20005)),
  row('nSites', [2, 3], 20005),
]

const isText = (value: Json): boolean => typeof value === 'string'

/** Ways to ask for a value; a way that leaves a mistake unsaid is none for it. */
const WAYS: Readonly<Record<string, (value: Json, code: number) => JsonObject | Json | null>> = {
  plain: (value) => value,
  $eq: (value) => ({ $eq: value }),
  $ne: (value) => ({ $ne: value }),
  $in: (value) => ({ $in: [value] }),
  'several in $in': (value, code) => (code === 20002 && isText(value) ? { $in: [value, 'x'] } : null),
  $nin: (value) => ({ $nin: [value] }),
  $all: (value) => ({ $all: [value] }),
  '$not $eq': (value) => ({ $not: { $eq: value } }),
  '$not $in': (value) => ({ $not: { $in: [value] } }),
  $gt: (value, code) => (code === 20001 || code === 20002 ? { $gt: value } : null),
  '$not $gt': (value, code) => (code === 20001 || code === 20002 ? { $not: { $gt: value } } : null),
  '$gte and $lt': (value, code) => (code === 20001 || code === 20002 ? { $gte: value, $lt: value } : null),
}

/** Places of a condition in a query. */
const PLACES: Readonly<Record<string, (condition: JsonObject) => JsonObject>> = {
  'by itself': (condition) => condition,
  'in $and': (condition) => ({ $and: [condition, { name: { $exists: true } }] }),
  'in $or': (condition) => ({ $or: [condition, { name: 'none has it' }] }),
  'in $nor': (condition) => ({ $nor: [condition] }),
}

/** A query with one mistake. */
export interface MistakenQuery {
  readonly name: string
  readonly query: JsonObject
  readonly condition: JsonObject
  readonly code: number
}

/** Whether a field that is only asked to be absent, or not to be something, may well be meant: what is near no other is not told of. */
export const MISTAKEN_QUERIES: readonly MistakenQuery[] = WRITTEN_MISTAKES.flatMap(({ path, value, code }) =>
  Object.entries(WAYS).flatMap(([way, ask]) => {
    const operand = ask(value, code)
    if (operand === null || isOfLists(way, value, code)) return []
    return Object.entries(PLACES).map(([place, put]) => {
      const condition = { [path]: operand }
      return { name: `${JSON.stringify(condition)} ${place}`, query: put(condition), condition, code }
    })
  }),
)

/** A list in a list is another question, and a mistake of names is one where the object is a value alone. */
function isOfLists(way: string, value: Json, code: number): boolean {
  return (code === 20005 || code === 20003) && (way.includes('in') || way === '$all') && typeof value === 'object'
}

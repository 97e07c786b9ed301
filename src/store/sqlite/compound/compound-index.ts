import type { SortKey } from '../../../query/ast/list-request.ts'
import type { Connection } from '../database.ts'

/** What a compound index is over: the values at a path, or none for '', and a whole sort. */
export interface CompoundShape {
  readonly path: string
  readonly sort: readonly SortKey[]
}

export type CompoundState = 'building' | 'ready' | 'unsuitable' | 'dropped'

/** A compound index of a collection. */
export interface CompoundIndex extends CompoundShape {
  readonly number: number
  readonly collection: number
  readonly state: CompoundState
  /** While it is being built: it holds the records up to this number. */
  readonly builtTo: number
  /** In days since 1970. */
  readonly usedOn: number
}

interface Row {
  readonly number: number
  readonly collection: number
  readonly path: string
  readonly sort: string
  readonly state: CompoundState
  readonly built_to: number
  readonly used_on: number
}

/** Prepares the reading of the indexes that there are, of all collections. */
export function compoundReader(connection: Connection): () => CompoundIndex[] {
  const select = connection.prepare<[], Row>(
    'SELECT number, collection, path, sort, state, built_to, used_on FROM compound ORDER BY number',
  )
  return () =>
    select.all().map(({ number, collection, path, sort, state, built_to, used_on }) => {
      return { number, collection, path, sort: readSort(sort), state, builtTo: built_to, usedOn: used_on }
    })
}

/** A sort as text: equal for equal sorts. */
export function sortText(sort: readonly SortKey[]): string {
  return JSON.stringify(sort.map(({ path, direction }) => [path.text, direction]))
}

function readSort(text: string): SortKey[] {
  const keys = JSON.parse(text) as [string, 1 | -1][]
  return keys.map(([path, direction]) => ({ path: { text: path, parts: path.split('.') }, direction }))
}

/** The top-level fields that decide where a record stands in an index. */
export function fieldsOf({ path, sort }: CompoundShape): ReadonlySet<string> {
  const names = sort.map((key) => key.path.parts[0] as string)
  return new Set(path === '' ? names : [...names, path.split('.', 1)[0] as string])
}

/** Says what an index is over: `lattice.type, in the order of name, -lattice.a`. */
export function describeShape({ path, sort }: CompoundShape): string {
  const keys = sort.map((key) => `${key.direction === 1 ? '' : '-'}${key.path.text}`).join(', ')
  return path === '' ? `all, in the order of ${keys}` : `${path}, in the order of ${keys}`
}

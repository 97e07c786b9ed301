import { isIndexedPath, LEAF_STRING_LIMIT } from '../../../query/narrow/leaves.ts'
import type { Scope } from '../../../query/plan/scope.ts'
import type { FieldKind, FieldKnowledge } from '../../../query/warnings/field-knowledge.ts'
import { type CountedKind, kindOf, pathKindRange } from '../field-kind.ts'
import { pathTypeOf, storedLeafValue } from '../leaf-key.ts'
import type { Reader } from './reader.ts'

/** Askers that are remembered at a time, each with one collection. */
const REMEMBERED = 1000
/** Paths that are remembered for each: clients may ask for any. */
const REMEMBERED_PATHS = 1000
/** Rows of a scope among which paths to suggest are looked for. */
const VISITED_ROWS = 8000

/** Gives what is known of the fields of a collection as an asker sees it now; null while the index is made anew. */
export type Knowledge = (collection: string, scope: Scope) => FieldKnowledge | null

/** Prepares the statements. What was looked up is remembered for as long as nothing changes that the asker sees. */
export function knowledgeOf(reader: Reader): Knowledge {
  const statements = prepare(reader)
  const known = new Map<string, { readonly changes: number; readonly knowledge: FieldKnowledge | null }>()
  return (collection, scope) => {
    const asker = scope.kind === 'account' ? scope.accountId : `(${scope.kind})`
    const key = `${collection} ${asker}`
    const changes = reader.changesOf(scope)
    const found = known.get(key)
    if (found?.changes === changes) return found.knowledge
    const number = reader.names.collection(collection) ?? NO_COLLECTION
    const scopes = reader.names.scopes(scope) ?? statements.everyScope.all()
    const knowledge = statements.rebuilds.get() === undefined ? lookUp(statements, number, scopes) : null
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, { changes, knowledge })
    return knowledge
  }
}

/** No path is in it. */
const NO_COLLECTION = -1

type Statements = ReturnType<typeof prepare>

function prepare({ connection }: Reader) {
  return {
    rebuilds: connection.prepare('SELECT 1 FROM rebuild'),
    everyScope: connection.prepare<[], number>('SELECT DISTINCT scope FROM field_kind').pluck(),
    path: connection
      .prepare<[number, string], number>('SELECT number FROM path WHERE collection = ? AND text = ?')
      .pluck(),
    kinds: connection
      .prepare<[number, number, number], number>(
        'SELECT path_kind FROM field_kind WHERE scope = ? AND path_kind BETWEEN ? AND ? AND records > 0',
      )
      .pluck(),
    // What was met first has the lower numbers; only rows of the scope are visited, so that the time tells of no other.
    paths: connection
      .prepare<[number, number], string>(
        `SELECT text FROM
           (SELECT path_kind FROM field_kind WHERE scope = ? AND records > 0 ORDER BY path_kind LIMIT ${VISITED_ROWS})
           CROSS JOIN path ON path.number = path_kind >> 3
         WHERE path.collection = ?`,
      )
      .pluck(),
    value: connection
      .prepare<[number, number | string, number], number>(
        'SELECT 1 FROM leaf WHERE path_type = ? AND value = ? AND scope = ? LIMIT 1',
      )
      .pluck(),
  }
}

interface KnownPath {
  /** Null where no record of anybody has the path. */
  readonly number: number | null
  readonly counted: ReadonlySet<CountedKind>
  readonly kinds: ReadonlySet<FieldKind>
}

const NOWHERE: KnownPath = { number: null, counted: new Set(), kinds: new Set() }

function lookUp(statements: Statements, collection: number, scopes: readonly number[]): FieldKnowledge {
  const paths = new Map<string, KnownPath>()

  function pathAt(text: string): KnownPath {
    const known = paths.get(text)
    if (known !== undefined) return known
    const found = readPath(text)
    if (paths.size >= REMEMBERED_PATHS) paths.clear()
    paths.set(text, found)
    return found
  }

  function readPath(text: string): KnownPath {
    const number = statements.path.get(collection, text)
    if (number === undefined) return NOWHERE
    const [from, to] = pathKindRange(number)
    const counted = new Set(scopes.flatMap((scope) => statements.kinds.all(scope, from, to)).map(kindOf))
    const kinds = new Set([...counted].filter((kind) => kind !== 'leftOut'))
    return { number, counted, kinds }
  }

  return {
    kindsAt: (path) => (isIndexedPath(path) ? pathAt(path).kinds : null),
    hasValue(path, value) {
      if (typeof value === 'string' && value.length * 3 > LEAF_STRING_LIMIT) return true
      const { number, counted } = pathAt(path)
      if (counted.has('leftOut')) return true
      const type = typeof value as 'string' | 'number'
      if (number === null || !counted.has(type)) return false
      const pathType = pathTypeOf(number, type)
      return scopes.some((scope) => statements.value.get(pathType, storedLeafValue(value), scope) !== undefined)
    },
    paths: (most) => [...new Set(scopes.flatMap((scope) => statements.paths.all(scope, collection)))].slice(0, most),
  }
}

import type { LeafType, LeafValue, Narrowing } from '../narrow/narrowing.ts'
import type { CompileContext, IndexedPath } from './compile-context.ts'
import type { Selection } from './selection.ts'
import { joinSql, oneOf, type SqlFragment, sql } from './sql-fragment.ts'

/** Beyond this many values, looking each of them up for a row costs more than making the set once. */
const TESTABLE_VALUES = 8

/** One end of a range. */
type Bound = Extract<Narrowing, { kind: 'leaf' }>['lower']

/** Leaves of one type at one path, between bounds of which all must hold. */
export interface LeafRange {
  readonly type: LeafType
  readonly exact: boolean
  readonly lower: readonly Bound[]
  readonly upper: readonly Bound[]
}

/** Selects the records with a leaf at the path within the bounds. */
export function compileRange(range: LeafRange, path: IndexedPath, context: CompileContext): Selection {
  const { dialect } = context
  const column = dialect.valueColumn(range.type)
  const conditions = [keyCondition(range.type, path, context)]
  for (const bound of range.lower) {
    if (bound === null) continue
    const value = dialect.storedValue(bound.value)
    conditions.push(bound.inclusive ? sql`${column} >= ${value}` : sql`${column} > ${value}`)
  }
  for (const bound of range.upper) {
    if (bound === null) continue
    const value = dialect.storedValue(bound.value)
    conditions.push(bound.inclusive ? sql`${column} <= ${value}` : sql`${column} < ${value}`)
  }
  return { ...sized(leafRows(conditions, context), context), exact: range.exact, test: null, testExact: false }
}

/** Selects the records that have one of the values at the path. */
export function compileValues(
  wanted: { readonly type: LeafType; readonly exact: boolean; readonly values: readonly LeafValue[] },
  path: IndexedPath,
  context: CompileContext,
): Selection {
  const { dialect } = context
  const stored = [...new Set(wanted.values.map((value) => dialect.storedValue(value)))]
  const conditions = [keyCondition(wanted.type, path, context), oneOf(dialect.valueColumn(wanted.type), stored)]
  const testable = stored.length <= TESTABLE_VALUES
  return {
    ...sized(leafRows(conditions, context), context),
    exact: wanted.exact,
    test: testable ? leafTest(conditions) : null,
    testExact: testable && wanted.exact,
  }
}

function sized(rows: SqlFragment, context: CompileContext): Pick<Selection, 'rows' | 'size' | 'broad'> {
  const size = context.countRows(rows)
  return { rows, size, broad: size >= context.probeLimit }
}

function keyCondition(type: LeafType, path: IndexedPath, context: CompileContext): SqlFragment {
  return sql`path_type = ${context.dialect.pathType(path.number, type)}`
}

function leafRows(conditions: readonly SqlFragment[], context: CompileContext): SqlFragment {
  const visible = context.scopes === null ? [] : [oneOf(sql`scope`, context.scopes)]
  return sql`SELECT leaf.n AS n, leaf.scope AS scope FROM leaf WHERE ${joinSql([...conditions, ...visible], ' AND ')}`
}

/** The row that is tested is visible, so that its own scope makes the look-up a single one. */
function leafTest(conditions: readonly SqlFragment[]): SqlFragment {
  const ofRow = joinSql([...conditions, sql`leaf.scope = r.scope`, sql`leaf.n = r.n`], ' AND ')
  return sql`EXISTS (SELECT 1 FROM leaf WHERE ${ofRow})`
}

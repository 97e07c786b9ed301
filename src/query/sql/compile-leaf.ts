import type { LeafType, LeafValue, Narrowing } from '../narrow/narrowing.ts'
import type { CompileContext, IndexedPath } from './compile-context.ts'
import { PROBE_LIMIT, type Selection } from './selection.ts'
import { joinSql, oneOf, type SqlFragment, sql } from './sql-fragment.ts'

/** Beyond this many values, looking each of them up for a row costs more than making the set once. */
const TESTABLE_VALUES = 8

/** Selects the records with a leaf at the path within the bounds. */
export function compileLeaf(
  node: Extract<Narrowing, { kind: 'leaf' }>,
  path: IndexedPath,
  context: CompileContext,
): Selection {
  const { lower, upper } = node
  if (lower !== null && upper !== null && lower.inclusive && upper.inclusive && lower.value === upper.value) {
    return compileValues({ type: node.type, exact: node.exact, values: [lower.value] }, path, context)
  }
  const column = context.dialect.valueColumn(node.type)
  const conditions = [keyCondition(node.type, path, context)]
  if (lower !== null) {
    const value = context.dialect.storedValue(lower.value)
    conditions.push(lower.inclusive ? sql`${column} >= ${value}` : sql`${column} > ${value}`)
  }
  if (upper !== null) {
    const value = context.dialect.storedValue(upper.value)
    conditions.push(upper.inclusive ? sql`${column} <= ${value}` : sql`${column} < ${value}`)
  }
  const rows = leafRows(conditions, context)
  return { rows, size: context.countRows(rows, PROBE_LIMIT), exact: node.exact, test: null, testExact: false }
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
  const rows = leafRows(conditions, context)
  const testable = stored.length <= TESTABLE_VALUES
  return {
    rows,
    size: context.countRows(rows, PROBE_LIMIT),
    exact: wanted.exact,
    test: testable ? sql`EXISTS (${leafRows([...conditions, sql`leaf.n = r.n`], context)})` : null,
    testExact: testable && wanted.exact,
  }
}

function keyCondition(type: LeafType, path: IndexedPath, context: CompileContext): SqlFragment {
  return sql`path_type = ${context.dialect.pathType(path.number, type)}`
}

function leafRows(conditions: readonly SqlFragment[], context: CompileContext): SqlFragment {
  const visible = context.scopes === null ? [] : [oneOf(sql`scope`, context.scopes)]
  return sql`SELECT leaf.n AS n FROM leaf WHERE ${joinSql([...conditions, ...visible], ' AND ')}`
}

import { assertNever } from '../../kernel/errors.ts'
import { isIndexedPath } from '../narrow/leaves.ts'
import type { LeafType, LeafValue, Narrowing } from '../narrow/narrowing.ts'
import type { CompileContext, IndexedPath } from './compile-context.ts'
import { compileLeaf, compileValues } from './compile-leaf.ts'
import { isBroad, NOTHING, PROBE_LIMIT, type Selection } from './selection.ts'
import { joinSql, type SqlFragment, sql } from './sql-fragment.ts'

type LeafNode = Extract<Narrowing, { kind: 'leaf' }>

/** Writes the SQL of a narrowing, the most selective leg first. It selects too much rather than too little. */
export function compileNarrowing(narrowing: Narrowing, context: CompileContext): Selection {
  const compiled = compileNode(narrowing, context)
  if (compiled.rows.values.length > context.dialect.parameterLimit) return inexact(context.everything)
  return compiled
}

function compileNode(node: Narrowing, context: CompileContext): Selection {
  switch (node.kind) {
    case 'all':
      return node.exact ? context.everything : inexact(context.everything)
    case 'none':
      return NOTHING
    case 'leaf':
      return withPath(node.path, context, (path) => compileLeaf(node, path, context))
    case 'and':
      return intersection(compileParts(node.parts, context), node.exact, context)
    case 'or':
      return union(compileAlternatives(node.parts, context), node.exact, context)
    default:
      return assertNever(node, 'narrowing')
  }
}

/** A path with values that the index left out answers nothing: every record is a candidate. */
function withPath(path: string, context: CompileContext, compile: (path: IndexedPath) => Selection): Selection {
  if (!isIndexedPath(path)) return inexact(context.everything)
  const found = context.findPath(path)
  if (found === null) return NOTHING
  return found.partial ? inexact(context.everything) : compile(found)
}

function inexact(selection: Selection): Selection {
  return { ...selection, exact: false, testExact: false }
}

function compileParts(parts: readonly Narrowing[], context: CompileContext): Selection[] {
  return parts.map((part) => compileNode(part, context))
}

/** Alternatives that ask for one value each at the same path become one `IN`. */
function compileAlternatives(parts: readonly Narrowing[], context: CompileContext): Selection[] {
  const groups = new Map<string, { path: string; type: LeafType; exact: boolean; values: LeafValue[] }>()
  const others: Narrowing[] = []
  for (const part of parts) {
    if (part.kind !== 'leaf' || !isEquality(part)) {
      others.push(part)
      continue
    }
    const key = JSON.stringify([part.path, part.type, part.exact])
    const group = groups.get(key)
    if (group !== undefined) group.values.push(part.lower.value)
    else groups.set(key, { path: part.path, type: part.type, exact: part.exact, values: [part.lower.value] })
  }
  const grouped = [...groups.values()].map((group) =>
    withPath(group.path, context, (path) => compileValues(group, path, context)),
  )
  return [...grouped, ...compileParts(others, context)]
}

function isEquality(node: LeafNode): node is LeafNode & { lower: { value: LeafValue } } {
  const { lower, upper } = node
  return lower !== null && upper !== null && lower.inclusive && upper.inclusive && lower.value === upper.value
}

function intersection(parts: readonly Selection[], exact: boolean, context: CompileContext): Selection {
  const allExact = exact && parts.every((part) => part.exact)
  const useful = parts.filter((part) => part.rows !== context.everything.rows)
  const [driver, ...rest] = useful.toSorted((a, b) => a.size - b.size)
  if (driver === undefined) return { ...context.everything, exact: allExact, testExact: allExact }
  const checks = rest.map((part) => checkOf(part, driver))
  const conditions = checks.map((check) => check.condition).filter((condition) => condition !== null)
  const tests = useful.map((part) => part.test).filter((test) => test !== null)
  return {
    rows:
      conditions.length === 0
        ? driver.rows
        : sql`SELECT r.n AS n FROM (${driver.rows}) AS r WHERE ${joinSql(conditions, ' AND ')}`,
    size: driver.size,
    exact: allExact && checks.every((check) => check.faithful),
    test: tests.length === 0 ? null : sql`(${joinSql(tests, ' AND ')})`,
    testExact: exact && parts.every((part) => part.testExact),
  }
}

/**
 * How the rows of the driver are held against another leg: by look-ups, or in a set that is made once; never by a range a
 * row. A broad leg is not worth the set when the driver is small: then the check is not faithful to the leg.
 */
function checkOf(part: Selection, driver: Selection): { condition: SqlFragment | null; faithful: boolean } {
  if (part.test !== null && part.testExact === part.exact) return { condition: part.test, faithful: true }
  if (isBroad(part) && !isBroad(driver)) return { condition: part.test, faithful: false }
  return { condition: sql`r.n IN (${part.rows})`, faithful: true }
}

function union(parts: readonly Selection[], exact: boolean, context: CompileContext): Selection {
  const possible = parts.filter((part) => part !== NOTHING)
  const [only] = possible
  if (only === undefined) return NOTHING
  if (possible.some((part) => part.rows === context.everything.rows)) {
    const certain = possible.some((part) => part.rows === context.everything.rows && part.exact)
    return certain && exact ? context.everything : inexact(context.everything)
  }
  if (possible.length > context.dialect.unionLimit) return inexact(context.everything)
  const tests = possible.map((part) => part.test).filter((test) => test !== null)
  const testable = tests.length === possible.length
  return {
    rows:
      possible.length === 1
        ? only.rows
        : joinSql(
            possible.map((part) => part.rows),
            ' UNION ',
          ),
    size: Math.min(
      PROBE_LIMIT,
      possible.reduce((sum, part) => sum + part.size, 0),
    ),
    exact: exact && possible.every((part) => part.exact),
    test: testable ? sql`(${joinSql(tests, ' OR ')})` : null,
    testExact: testable && exact && possible.every((part) => part.testExact),
  }
}

import { assertNever } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { isEquality } from '../narrow/equality-conditions.ts'
import { isIndexedPath } from '../narrow/leaves.ts'
import type { LeafBound, Narrowing } from '../narrow/narrowing.ts'
import type { CompileContext, IndexedPath } from './compile-context.ts'
import { compileRange, compileValues } from './compile-leaf.ts'
import { NOTHING, type Selection } from './selection.ts'
import { joinSql, type SqlFragment, sql } from './sql-fragment.ts'

type LeafNode = Extract<Narrowing, { kind: 'leaf' }>
type EqualityNode = LeafNode & { readonly lower: LeafBound }

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
      return compileLeaf(node, context)
    case 'and':
      return intersection(compileConditions(node.parts, context), node.exact, context)
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

function compileLeaf(node: LeafNode, context: CompileContext): Selection {
  if (isEquality(node)) return compileEqualities([node], context)
  const { type, exact, lower, upper } = node
  return withPath(node.path, context, (path) =>
    compileRange({ type, exact, lower: [lower], upper: [upper] }, path, context),
  )
}

/**
 * Ranges of one path are one range where every document has one value there; where the values are in arrays, each
 * range may be met by another element.
 */
function compileConditions(parts: readonly Narrowing[], context: CompileContext): Selection[] {
  const leaves = parts.filter((part) => part.kind === 'leaf')
  const others = parts.filter((part) => part.kind !== 'leaf')
  const ranges = groupsOf(leaves, ({ path, type }) => [path, type])
  return [...ranges.flatMap((group) => compileRanges(group, context)), ...compileParts(others, context)]
}

function compileRanges(leaves: readonly LeafNode[], context: CompileContext): Selection[] {
  const [first] = leaves
  const path = first === undefined || leaves.length === 1 ? null : context.findPath(first.path)
  if (first === undefined || path === null || path.partial || path.several) return compileParts(leaves, context)
  const exact = leaves.every((leaf) => leaf.exact)
  const lower = leaves.map((leaf) => leaf.lower)
  const upper = leaves.map((leaf) => leaf.upper)
  return [compileRange({ type: first.type, exact, lower, upper }, path, context)]
}

/** Alternatives that ask for one value each at the same path become one `IN`. */
function compileAlternatives(parts: readonly Narrowing[], context: CompileContext): Selection[] {
  const equalities = parts.filter(isEquality)
  const others = parts.filter((part) => !isEquality(part))
  const groups = groupsOf(equalities, ({ path, type, exact }) => [path, type, exact])
  return [...groups.map((group) => compileEqualities(group, context)), ...compileParts(others, context)]
}

function compileEqualities(leaves: readonly EqualityNode[], context: CompileContext): Selection {
  const [first] = leaves
  if (first === undefined) return NOTHING
  const { type, exact } = first
  const values = leaves.map((leaf) => leaf.lower.value)
  return withPath(first.path, context, (path) => compileValues({ type, exact, values }, path, context))
}

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => Json): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = JSON.stringify(keyOf(item))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

/** More legs than this add nothing but work: what they say is checked on the documents. */
const LEGS = 16
/** A condition with more values than this is too much to look up for every row of a walk. */
const TEST_VALUES = 80

function intersection(parts: readonly Selection[], exact: boolean, context: CompileContext): Selection {
  const allExact = exact && parts.every((part) => part.exact)
  const useful = parts.filter((part) => part.rows !== context.everything.rows)
  const [driver, ...rest] = useful.toSorted((a, b) => a.size - b.size)
  if (driver === undefined) return { ...context.everything, exact: allExact, testExact: allExact }
  const checks = rest.slice(0, LEGS).map((part) => checkOf(part, driver))
  const conditions = checks.map((check) => check.condition).filter((condition) => condition !== null)
  const rows =
    conditions.length === 0
      ? driver.rows
      : sql`SELECT r.n AS n, r.scope AS scope FROM (${driver.rows}) AS r WHERE ${joinSql(conditions, ' AND ')}`
  const tests = [driver, ...rest.slice(0, LEGS)].map((part) => part.test).filter((test) => test !== null)
  const testable = tests.length > 0 && countValues(tests) <= TEST_VALUES
  return {
    rows,
    size: driver.size,
    broad: driver.broad,
    exact: allExact && rest.length <= LEGS && checks.every((check) => check.faithful),
    test: testable ? sql`(${joinSql(tests, ' AND ')})` : null,
    testExact: testable && exact && useful.length <= LEGS && parts.every((part) => part.testExact),
  }
}

/**
 * How the rows of the driver are held against another leg: by look-ups, or in a set that is made once; never by a range a
 * row. A broad leg is not worth the set when the driver is small: then the check is not faithful to the leg.
 */
function checkOf(part: Selection, driver: Selection): { condition: SqlFragment | null; faithful: boolean } {
  if (part.test !== null && part.testExact === part.exact) return { condition: part.test, faithful: true }
  if (part.broad && !driver.broad) return { condition: part.test, faithful: false }
  return { condition: sql`r.n IN (SELECT n FROM (${part.rows}))`, faithful: true }
}

function union(parts: readonly Selection[], exact: boolean, context: CompileContext): Selection {
  const possible = parts.filter((part) => part !== NOTHING)
  const [only] = possible
  if (only === undefined) return NOTHING
  const whole = possible.filter((part) => part.rows === context.everything.rows)
  if (whole.some((part) => part.exact)) return context.everything
  if (whole.length > 0 || possible.length > context.dialect.unionLimit) return inexact(context.everything)
  const allExact = exact && possible.every((part) => part.exact)
  const size = possible.reduce((sum, part) => sum + part.size, 0)
  const tests = possible.map((part) => part.test).filter((test) => test !== null)
  const testable = tests.length === possible.length && countValues(tests) <= TEST_VALUES
  return {
    rows:
      possible.length === 1
        ? only.rows
        : joinSql(
            possible.map((part) => part.rows),
            ' UNION ',
          ),
    size,
    broad: size >= context.probeLimit,
    exact: allExact,
    test: testable ? sql`(${joinSql(tests, ' OR ')})` : null,
    testExact: testable && exact && possible.every((part) => part.testExact),
  }
}

function countValues(fragments: readonly SqlFragment[]): number {
  return fragments.reduce((sum, fragment) => sum + fragment.values.length, 0)
}

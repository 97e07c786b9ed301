import { AppError } from '../kernel/errors.ts'
import { nearestName } from '../kernel/names.ts'
import type { FilterNode } from '../query/ast/filter.ts'
import { clip, type ParseContext, rootContext } from '../query/context.ts'
import type { QueryBounds } from '../query/plan.ts'
import { OPTIMADE_ERRORS } from './errors.ts'
import { ALWAYS_UNKNOWN } from './fields.ts'
import { type FilterPlaces, impossibleValues, placedAt, placeOf } from './filter-warnings.ts'
import { parseFilterText } from './parse-filter-text.ts'
import { STRUCTURE_PROPERTIES } from './properties.ts'
import { PROVIDER_PREFIX } from './property.ts'
import { allOf, anyOf, type ComparedSign, NOTHING, not, type Queryable, readConstant } from './queryable.ts'
import { type Comparison, type ComparisonSign, type Expression, notImplemented, type PropertyName } from './token.ts'

/** Kinds of entries that structures of other servers are related to. */
const ENTRY_TYPES: readonly string[] = ['structures', 'references', 'calculations', 'files', 'trajectories']

const PREFIXED = /^_[a-z0-9]+_./

/** Tells whether a name belongs to another provider, whose properties are unknown here and no error. */
export function isForeign(name: string): boolean {
  return PREFIXED.test(name) && !name.startsWith(`_${PROVIDER_PREFIX}_`)
}

/** Refuses the name of a property that there is not, in the parameter that has it. */
export function unknownProperty(name: string, parameter: string, column?: number): AppError {
  const near = nearestProperty(name)
  const hint = near === null ? 'info/structures lists those that there are.' : `Did you mean ${near}?`
  const where = column === undefined ? `in ${parameter}` : `at column ${column} of the ${parameter}`
  const place = column === undefined ? { path: parameter } : { path: parameter, column }
  return new AppError(
    OPTIMADE_ERRORS.unknownProperty,
    `Structures have no property ${JSON.stringify(clip(name, 80))}, ${where}. ${hint}`,
    { ...place, hint },
  )
}

/** The prefix of a provider makes no two names alike. */
function nearestProperty(name: string): string | null {
  const prefix = `_${PROVIDER_PREFIX}_`
  if (!name.startsWith(prefix)) return nearestName(name, STRUCTURE_PROPERTIES.keys())
  const own = [...STRUCTURE_PROPERTIES.keys()].filter((one) => one.startsWith(prefix))
  const near = nearestName(
    name.slice(prefix.length),
    own.map((one) => one.slice(prefix.length)),
  )
  return near === null ? null : prefix + near
}

/** Says that a name of another provider was taken for a property that is unknown. */
export function foreignWarning(name: string, parameter: string): string {
  return `The property ${clip(name, 80)} in ${parameter} belongs to another provider: it is unknown for every structure here.`
}

/** More of them are read by nobody. */
const MOST_WARNINGS = 20

/** A filter of the OPTIMADE API as stores run it, with what the client should know about it. */
export interface CompiledFilter {
  readonly filter: FilterNode
  readonly warnings: readonly string[]
  /** Places of its conditions, for what the records tell of them. */
  readonly places: FilterPlaces
}

export function compileFilter(text: string, bounds: QueryBounds): CompiledFilter {
  const expression = parseFilterText(text, bounds)
  const compiler = new FilterCompiler(rootContext(bounds, 'filter'))
  const filter = compiler.compile(expression, true)
  const foreign = [...compiler.foreign].map((name) => foreignWarning(name, 'filter'))
  return {
    filter,
    warnings: [...foreign, ...[...compiler.impossible].slice(0, MOST_WARNINGS)],
    places: compiler.places,
  }
}

/** A comparison with an unknown property never matches, negated or not: negations are carried down, where “not” is: known, and not so. */
class FilterCompiler {
  /** Names of properties that belong to other providers. */
  readonly foreign = new Set<string>()
  /** Warnings of values that no structure can have. */
  readonly impossible = new Set<string>()
  readonly places = new Map<string, { readonly property: string; readonly path: string }>()
  readonly #context: ParseContext

  constructor(context: ParseContext) {
    this.#context = context
  }

  compile(expression: Expression, wanted: boolean): FilterNode {
    switch (expression.kind) {
      case 'and':
      case 'or': {
        const clauses = expression.clauses.map((clause) => this.compile(clause, wanted))
        return (expression.kind === 'and') === wanted ? allOf(clauses) : anyOf(clauses)
      }
      case 'not':
        return this.compile(expression.clause, !wanted)
      case 'truth':
        return this.#truth(expression.property)
      case 'known': {
        const { known } = this.#queryableOf(expression.property)
        return expression.known === wanted ? known : not(known)
      }
      default:
        return this.#comparison(expression, wanted)
    }
  }

  /** A property that is to be true: of those that are known here, none is true or false. */
  #truth({ text, column }: PropertyName): FilterNode {
    if (this.#queryableOf({ text, column }) === ALWAYS_UNKNOWN) return NOTHING
    throw notImplemented(
      `The property ${text} stands alone at column ${column}, and no property here is true or false.`,
      column,
      'Compare it with an operator such as =, HAS, CONTAINS or IS KNOWN.',
    )
  }

  #comparison(comparison: Comparison, wanted: boolean): FilterNode {
    const queryable = this.#queryableOf(comparison.property)
    const isNegated = (comparison.kind === 'compare' || comparison.kind === 'length') && comparison.sign === '!='
    const filter = this.#placed(comparison, queryable)
    return isNegated === wanted ? allOf([queryable.known, not(filter)]) : filter
  }

  /** Conditions on values that are known beforehand are decided already; searches within texts have nothing that would be odd. */
  #placed(comparison: Comparison, queryable: Queryable): FilterNode {
    const filter = this.#ask(comparison, queryable)
    if (queryable.values !== undefined) {
      for (const told of impossibleValues(comparison, queryable.values)) this.impossible.add(told)
      return filter
    }
    if (!comparesValues(comparison)) return filter
    const place = placeOf(comparison)
    const placed = placedAt(place, filter)
    if (placed.path !== null) this.places.set(place, { property: comparison.property.text, path: placed.path })
    return placed.filter
  }

  #ask(comparison: Comparison, queryable: Queryable): FilterNode {
    switch (comparison.kind) {
      case 'compare':
        if (queryable.compare === undefined) throw unaskable(comparison.property, comparison.sign, queryable)
        return queryable.compare(withoutNegation(comparison.sign), comparison.constant)
      case 'text':
        if (queryable.matchText === undefined) throw unaskable(comparison.property, comparison.form, queryable)
        return queryable.matchText(comparison.form, comparison.constant, this.#context)
      case 'has':
        if (queryable.has === undefined) throw unaskable(comparison.property, 'HAS', queryable)
        return queryable.has(comparison.quantifier, comparison.tests, this.#context)
      case 'length': {
        if (queryable.compareLength === undefined) throw unaskable(comparison.property, 'LENGTH', queryable)
        return queryable.compareLength(withoutNegation(comparison.sign), lengthOf(comparison))
      }
    }
  }

  #queryableOf({ text, column }: PropertyName): Queryable {
    const property = STRUCTURE_PROPERTIES.get(text)
    if (property !== undefined) return property.queryable
    if (isForeign(text)) {
      this.foreign.add(text)
      return ALWAYS_UNKNOWN
    }
    const [first = '', ...rest] = text.split('.')
    if (rest.length > 0 && ENTRY_TYPES.includes(first)) {
      const message = `Structures have no relationship to ${first} here, which ${clip(text, 80)} at column ${column} asks about.`
      throw notImplemented(message, column, 'Ask about properties of structures alone.')
    }
    if (rest.length > 0 && STRUCTURE_PROPERTIES.has(first)) {
      throw notImplemented(
        `The nested property ${clip(text, 80)} at column ${column} cannot be compared.`,
        column,
        `Nothing within ${first} can be asked about.`,
      )
    }
    throw unknownProperty(text, 'filter', column)
  }
}

function comparesValues(comparison: Comparison): boolean {
  if (comparison.kind !== 'has') return comparison.kind !== 'text'
  return comparison.tests.every(({ operator }) => !['CONTAINS', 'STARTS', 'ENDS'].includes(operator))
}

function withoutNegation(sign: ComparisonSign): ComparedSign {
  return sign === '!=' ? '=' : sign
}

function lengthOf({ constant }: Extract<Comparison, { kind: 'length' }>): number {
  const length = readConstant(constant, 'integer') as number
  if (Number.isInteger(length)) return length
  throw notImplemented(
    `The length ${constant.text} at column ${constant.column} is no whole number.`,
    constant.column,
    'Lengths are whole numbers.',
  )
}

function unaskable({ text, column }: PropertyName, operator: string, queryable: Queryable): Error {
  const askable = [
    ...(queryable.compare === undefined ? [] : ['=', '!=', '<', '<=', '>', '>=']),
    ...(queryable.matchText === undefined ? [] : ['CONTAINS', 'STARTS WITH', 'ENDS WITH']),
    ...(queryable.has === undefined ? [] : ['HAS', 'HAS ALL', 'HAS ANY', 'HAS ONLY']),
    ...(queryable.compareLength === undefined ? [] : ['LENGTH']),
    'IS KNOWN',
    'IS UNKNOWN',
  ]
  return notImplemented(
    `${text} cannot be asked with ${operator}, at column ${column}.`,
    column,
    [`It can be asked with ${askable.join(', ')}.`, queryable.instead ?? ''].join(' ').trim(),
  )
}

import type { AppError } from '../../../kernel/errors.ts'
import { refusal } from '../../context.ts'
import { QUERY_ERRORS } from '../../errors.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { type ExpressionEnvironment, type ExpressionEvaluator, spend, stepsToRead } from './environment.ts'
import { isArrayValue, isNullish, isPlainObject, type ObjectValue, typeName } from './read-value.ts'

/** Insists on a number. `what` names the argument in the message. */
export function numberFrom(value: ExpressionValue, site: CallSite, what = 'argument'): number {
  if (typeof value === 'number') return value
  throw site.fail(`needs a number as ${what}, given ${describe(value)}`)
}

/** Insists on a whole number that is held exactly. */
export function integerFrom(value: ExpressionValue, site: CallSite, what = 'argument'): number {
  if (Number.isSafeInteger(value)) return value as number
  throw site.fail(`needs an integer as ${what}, given ${describe(value)}`)
}

/** Insists on a whole number of at least `least`. */
export function countFrom(value: ExpressionValue, least: number, site: CallSite, what: string): number {
  const count = integerFrom(value, site, what)
  if (count >= least) return count
  throw site.fail(`needs an integer of at least ${least} as ${what}, given ${count}`)
}

export function textFrom(value: ExpressionValue, site: CallSite, what = 'argument'): string {
  if (typeof value === 'string') return value
  throw site.fail(`needs a string as ${what}, given ${describe(value)}`)
}

/** The elements of an array. */
export type Elements = readonly ExpressionValue[]

export function arrayFrom(value: ExpressionValue, site: CallSite, what = 'argument'): Elements {
  if (isArrayValue(value)) return value
  throw site.fail(`needs an array as ${what}, given ${describe(value)}`)
}

export function objectFrom(value: ExpressionValue, site: CallSite, what = 'argument'): ObjectValue {
  if (isPlainObject(value)) return value
  throw site.fail(`needs an object as ${what}, given ${describe(value)}`)
}

/** Reads arguments in turn; null as soon as one is null or missing: what stands behind it is not even computed. */
export function readUntilNull<T>(
  values: Iterable<ExpressionValue>,
  read: (value: ExpressionValue) => T,
): readonly T[] | null {
  const all: T[] = []
  for (const value of values) {
    if (isNullish(value)) return null
    all.push(read(value))
  }
  return all
}

/** Says what a value is without quoting it: documents may be large. */
export function describe(value: ExpressionValue): string {
  if (value === undefined) return 'a missing field'
  if (typeof value === 'number') return `the number ${value}`
  const name = typeName(value)
  return name === 'null' ? 'null' : `a value of type ${name}`
}

/** Arguments of a call, computed as they are asked for: MongoDB stops at the first null, and behind it may be what cannot be computed. */
export class ArgumentsInTurn implements Iterable<ExpressionValue> {
  readonly #args: readonly ExpressionEvaluator[]
  readonly #site: CallSite
  readonly #environment: ExpressionEnvironment

  constructor(args: readonly ExpressionEvaluator[], site: CallSite, environment: ExpressionEnvironment) {
    this.#args = args
    this.#site = site
    this.#environment = environment
  }

  get count(): number {
    return this.#args.length
  }

  /** Computes an argument; missing where there is none. To be asked once for each. */
  at(index: number): ExpressionValue {
    const value = this.#args[index]?.(this.#environment)
    spend(this.#environment, stepsToRead(value), this.#site.place)
    return value
  }

  *[Symbol.iterator](): Generator<ExpressionValue> {
    for (let index = 0; index < this.count; index++) yield this.at(index)
  }
}

/** Named arguments of a call over one document, computed as they are asked for. */
export class NamedInTurn<Name extends string> {
  readonly #names: readonly string[]
  readonly #values: ArgumentsInTurn

  /** `names` are those that are given, in the order of the values. */
  constructor(names: readonly string[], values: ArgumentsInTurn) {
    this.#names = names
    this.#values = values
  }

  /** Tells whether the query gives it, whatever it computes to. */
  gives(name: Name): boolean {
    return this.#names.includes(name)
  }

  /** Computes an argument; missing where it is left out. To be asked once for each. */
  value(name: Name): ExpressionValue {
    return this.#values.at(this.#names.indexOf(name))
  }

  /** Computes an argument that has a default: missing where it is left out, null where it is given and computes to no value. */
  setting(name: Name): ExpressionValue {
    const value = this.value(name)
    return value === undefined && this.gives(name) ? null : value
  }
}

/** One use of an operator in a query: what it is called where it fails over a document. */
export class CallSite {
  readonly operator: string
  /** Place in the query: `query.$expr.$gt[0].$add`. */
  readonly place: string

  constructor(operator: string, place: string) {
    this.operator = operator
    this.place = place
  }

  /** The failure over a document: what this operator was given cannot be computed. */
  fail(problem: string, hint?: string): AppError {
    return refusal(this, QUERY_ERRORS.expressionFailed, `${this.operator} at ${this.place} ${problem}.`, hint)
  }
}

import type { ExpressionValue } from '../values/expression-value.ts'
import type { CallSite } from './call-site.ts'
import type { ExpressionEnvironment, ExpressionEvaluator } from './environment.ts'
import { spend, stepsToRead } from './work-meter.ts'

/**
 * The arguments of a call over one document, computed as they are asked for. MongoDB stops at the first null in many operators: what
 * stands behind it may be nothing that can be computed.
 */
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
    const compute = this.#args[index]
    return compute === undefined ? undefined : paid(compute(this.#environment), this.#site, this.#environment)
  }

  *[Symbol.iterator](): Generator<ExpressionValue> {
    for (let index = 0; index < this.count; index++) yield this.at(index)
  }
}

/** Named arguments of a call over one document, computed as they are asked for. */
export class NamedInTurn<Name extends string> {
  readonly #args: ReadonlyMap<string, ExpressionEvaluator>
  readonly #site: CallSite
  readonly #environment: ExpressionEnvironment

  constructor(args: ReadonlyMap<string, ExpressionEvaluator>, site: CallSite, environment: ExpressionEnvironment) {
    this.#args = args
    this.#site = site
    this.#environment = environment
  }

  /** Tells whether the query gives it, whatever it computes to. */
  gives(name: Name): boolean {
    return this.#args.has(name)
  }

  /** Computes an argument; missing where it is left out. To be asked once for each. */
  value(name: Name): ExpressionValue {
    const compute = this.#args.get(name)
    return compute === undefined ? undefined : paid(compute(this.#environment), this.#site, this.#environment)
  }

  /** Computes an argument that has a default: missing where it is left out, null where it is given and computes to no value. */
  setting(name: Name): ExpressionValue {
    const value = this.value(name)
    return value === undefined && this.gives(name) ? null : value
  }
}

function paid(value: ExpressionValue, site: CallSite, environment: ExpressionEnvironment): ExpressionValue {
  spend(environment, stepsToRead(value), site.place)
  return value
}

import type { ExpressionEnvironment, ExpressionNode, ExpressionValue } from '../ast/expression.ts'
import type { CallSite } from './call-site.ts'
import { evaluateNode } from './evaluate.ts'
import { spend, stepsToRead } from './work-meter.ts'

/**
 * The arguments of a call over one document, computed as they are asked for. MongoDB stops at the first null in many operators: what
 * stands behind it may be nothing that can be computed.
 */
export class ArgumentsInTurn implements Iterable<ExpressionValue> {
  readonly #nodes: readonly ExpressionNode[]
  readonly #site: CallSite
  readonly #environment: ExpressionEnvironment

  constructor(nodes: readonly ExpressionNode[], site: CallSite, environment: ExpressionEnvironment) {
    this.#nodes = nodes
    this.#site = site
    this.#environment = environment
  }

  get count(): number {
    return this.#nodes.length
  }

  /** Computes an argument; missing where there is none. To be asked once for each. */
  at(index: number): ExpressionValue {
    const node = this.#nodes[index]
    return node === undefined ? undefined : paid(evaluateNode(node, this.#environment), this.#site, this.#environment)
  }

  *[Symbol.iterator](): Generator<ExpressionValue> {
    for (let index = 0; index < this.count; index++) yield this.at(index)
  }
}

/** Named arguments of a call over one document, computed as they are asked for. */
export class NamedInTurn<Name extends string> {
  readonly #nodes: ReadonlyMap<string, ExpressionNode>
  readonly #site: CallSite
  readonly #environment: ExpressionEnvironment

  constructor(nodes: ReadonlyMap<string, ExpressionNode>, site: CallSite, environment: ExpressionEnvironment) {
    this.#nodes = nodes
    this.#site = site
    this.#environment = environment
  }

  /** Tells whether the query gives it, whatever it computes to. */
  gives(name: Name): boolean {
    return this.#nodes.has(name)
  }

  /** Computes an argument; missing where it is left out. To be asked once for each. */
  value(name: Name): ExpressionValue {
    const node = this.#nodes.get(name)
    return node === undefined ? undefined : paid(evaluateNode(node, this.#environment), this.#site, this.#environment)
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

import type { Scope } from '../../query/plan/scope.ts'

/** One address as one asker sees it, with what is remembered of it. */
export interface ScopedTarget<Value> {
  readonly asker: string
  readonly target: string
  readonly value: Value
}

/**
 * Values by scope and address, in the order in which they came. Looked up by the address first: it is long and new with
 * each request, and to join it with the scope to one key would cost more than all else about a look-up.
 */
export class ScopedTargets<Value> {
  readonly #byTarget = new Map<string, Map<string, ScopedTarget<Value>>>()
  readonly #inOrder = new Set<ScopedTarget<Value>>()

  /** How many there are. */
  get size(): number {
    return this.#inOrder.size
  }

  get(scope: Scope, target: string): ScopedTarget<Value> | undefined {
    return this.#byTarget.get(target)?.get(askerOf(scope))
  }

  /** Adds one that is not there, behind all others. */
  add(scope: Scope, target: string, value: Value): ScopedTarget<Value> {
    const added = { asker: askerOf(scope), target, value }
    const byAsker = this.#byTarget.get(target) ?? new Map<string, ScopedTarget<Value>>()
    this.#byTarget.set(target, byAsker.set(added.asker, added))
    this.#inOrder.add(added)
    return added
  }

  delete(present: ScopedTarget<Value>): void {
    const byAsker = this.#byTarget.get(present.target)
    if (byAsker?.get(present.asker) !== present) return
    byAsker.delete(present.asker)
    if (byAsker.size === 0) this.#byTarget.delete(present.target)
    this.#inOrder.delete(present)
  }

  /** Lets one that is there come last. */
  defer(present: ScopedTarget<Value>): void {
    this.#inOrder.delete(present)
    this.#inOrder.add(present)
  }

  /** All of them, the oldest first. */
  [Symbol.iterator](): IterableIterator<ScopedTarget<Value>> {
    return this.#inOrder.values()
  }
}

/** No account has an id with parentheses. */
function askerOf(scope: Scope): string {
  return scope.kind === 'account' ? scope.accountId : `(${scope.kind})`
}

import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import { planQuery } from '../../query/plan/plan-query.ts'
import type { QueryPlan } from '../../query/plan/query-plan.ts'
import { type Scope, scopeName } from '../../query/plan/scope.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import type { NextPage } from '../response/next-page.ts'

/** A list that was read and planned before: what its address asks is never another question. */
export interface KnownList {
  readonly kind: RecordKind
  readonly plan: QueryPlan
  readonly nextPage: NextPage
}

interface Entry {
  readonly kind: RecordKind
  readonly request: ListRequest
  readonly nextPage: NextPage
  plan: QueryPlan | null
}

/** The addresses of all that is remembered, in characters; what is made of an address is some ten times as large. */
const MOST_CHARACTERS = 512 * 1024
const LONGEST_TARGET = 8 * 1024

/** Remembers what the addresses of lists ask, so that to ask again costs no reading of JSON. */
export class KnownLists {
  readonly #entries = new BoundedCache<Entry>({ most: MOST_CHARACTERS, heaviest: LONGEST_TARGET })
  #found = 0
  #missed = 0

  /** How often a list was remembered, and how often not. */
  get figures(): { readonly found: number; readonly missed: number } {
    return { found: this.#found, missed: this.#missed }
  }

  /** The addresses of all that is remembered, in characters. */
  get characters(): number {
    return this.#entries.weight
  }

  get(scope: Scope, target: string): KnownList | null {
    const entry = this.#entries.get(keyOf(scope, target))
    if (entry === undefined) {
      this.#missed += 1
      return null
    }
    this.#found += 1
    // Most lists are asked once: those are not planned for a second time.
    entry.plan ??= planQuery(entry.request, entry.kind.collection, scope)
    return { kind: entry.kind, plan: entry.plan, nextPage: entry.nextPage }
  }

  put(scope: Scope, target: string, kind: RecordKind, request: ListRequest, nextPage: NextPage): void {
    this.#entries.set(keyOf(scope, target), { kind, request, nextPage, plan: null }, target.length)
  }

  drop(scope: Scope, target: string): void {
    this.#entries.delete(keyOf(scope, target))
  }
}

function keyOf(scope: Scope, target: string): string {
  return `${scopeName(scope)} ${target}`
}

import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { planQuery, type RequesterPlan, scopeName } from '../../query/plan.ts'
import type { Collection } from '../../records/work/deps.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { HttpSettings } from '../settings.ts'
import { readListRequest } from './list-request.ts'
import { type NextPage, nextPageOf } from './next-page.ts'

/** List asked for by an address. */
export interface AskedList {
  readonly plan: RequesterPlan
  /** Whether the answer tells the number of all that match. */
  readonly counts: boolean
  readonly nextPage: NextPage
}

/** The addresses of all that is kept, in characters; what is made of an address is some ten times as large. */
const MOST_CHARACTERS = 512 * 1024
const LONGEST_TARGET = 8 * 1024

/** Reads what the addresses of lists ask, and keeps it: the same address never asks another question. */
export class ListRequests {
  readonly #entries = new BoundedCache<AskedList>({ most: MOST_CHARACTERS, heaviest: LONGEST_TARGET })
  readonly #settings: HttpSettings
  #found = 0
  #missed = 0

  constructor(settings: HttpSettings) {
    this.#settings = settings
  }

  /** Number of lists found in the cache, and of those read anew. */
  get figures(): { readonly found: number; readonly missed: number } {
    return { found: this.#found, missed: this.#missed }
  }

  /** Reads a request for a list; refuses what cannot be understood. */
  read(context: RequestContext, { kind, session: { scope } }: Collection): AskedList {
    const { url, query } = context
    const key = `${scopeName(scope)} ${url}`
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#found += 1
      return known
    }
    this.#missed += 1
    context.enter('parse')
    const { listed, counts } = readListRequest(query, this.#settings, kind)
    const plan = planQuery(listed, kind.collection, scope)
    const list = { plan, counts, nextPage: nextPageOf(url, this.#settings.bounds) }
    this.#entries.set(key, list, url.length)
    return list
  }
}

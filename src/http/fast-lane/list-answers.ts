import type { Warning } from '../../kernel/warnings.ts'
import { planQuery } from '../../query/plan.ts'
import { hasStarter, listAndCount } from '../../records/use-cases/read-records.ts'
import { glanceAtListWarnings, isWithoutMatches, listWarnings } from '../../records/warnings/list-warnings.ts'
import type { Collection } from '../../records/work/deps.ts'
import type { Page, RunReport } from '../../store/port/record-store.ts'
import { splitTarget } from '../address.ts'
import type { Passage } from '../passage.ts'
import { readListRequest } from '../request/list-request.ts'
import { type Answer, besideOf } from '../response/answer.ts'
import { nextPageOf } from '../response/next-page.ts'
import { listAnswer, listTag, namesTag } from '../response/send.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import type { KnownList, RequestCaches } from './request-caches.ts'

/** What a GET asks of the records of one kind, as one session has them. */
export interface AskedTarget {
  readonly collection: Collection
  /** The canonical path and query. */
  readonly target: string
  /** The scope's change counter of before anything is read. */
  readonly counter: number
  /** `If-None-Match`. */
  readonly known: string | undefined
  readonly passage: Passage | undefined
  /** When the request arrived: an answer of then is new enough. */
  readonly since?: number | undefined
  /** Aborted when the client has gone. */
  readonly signal?: AbortSignal | undefined
}

/** What a GET is answered with: an answer, or null for a client that has it already. */
export interface FoundAnswer {
  readonly etag: string
  readonly answer: Answer | null
  /** How the query of a list was run just now. */
  readonly report: RunReport | null
}

/** Gives an answer that is at hand, or nothing to a client that has it. */
export function unlessKnown(answer: Answer, known: string | undefined): FoundAnswer {
  const { etag } = answer
  return { etag, answer: known !== undefined && namesTag(known, etag) ? null : answer, report: null }
}

/** Answers lists that a GET asks for: reads and plans what is asked, runs it, and presents the page. */
export class ListAnswers {
  readonly #edition: string
  readonly #settings: HttpSettings
  readonly #caches: RequestCaches

  constructor({ edition }: Pick<HttpServices, 'edition'>, settings: HttpSettings, caches: RequestCaches) {
    this.#edition = edition
    this.#settings = settings
    this.#caches = caches
  }

  /** The answer that can be given without waiting; null when there is none, and nothing has happened. */
  atOnce(asked: AskedTarget): FoundAnswer | null {
    const { collection, passage } = asked
    const list = this.#listOf(asked)
    if (list.counts || !hasStarter(collection, collection.session.account)) return null
    const etag = this.#tagOf(list, asked)
    if (isNamed(etag, asked)) return { etag, answer: null, report: null }
    passage?.enter('run')
    const page = collection.deps.store.glanceAtPage(list.plan)
    if (page === null) {
      if (passage !== undefined) passage.takesLonger = true
      return null
    }
    passage?.enter('present')
    const warnings = glanceAtListWarnings(collection, list.plan, isWithoutMatches(list.plan, page.count))
    return warnings === null ? null : this.#present(list, asked, { etag, page, total: null, warnings })
  }

  /** The answer, however long it takes. */
  async inTime(asked: AskedTarget): Promise<FoundAnswer> {
    const { collection, passage, since, signal } = asked
    const list = this.#listOf(asked)
    const etag = this.#tagOf(list, asked)
    if (isNamed(etag, asked)) return { etag, answer: null, report: null }
    passage?.enter('run')
    const { plan: listed, counts } = list
    const isLong = passage?.takesLonger === true
    const { page, total } = await listAndCount(collection, { listed, counts, isLong, since, signal })
    passage?.enter('present')
    const warnings = await listWarnings(collection, listed, isWithoutMatches(listed, page.count), since)
    return this.#present(list, asked, { etag, page, total, warnings })
  }

  /** What an address asks is never another question, so it is read once. */
  #listOf({ collection: { kind, session }, target, passage }: AskedTarget): KnownList {
    const { lists } = this.#caches
    const known = lists.get(session.scope, target)
    if (known !== null) return known
    passage?.enter('parse')
    const { listed, counts } = readListRequest(splitTarget(target).query, this.#settings, kind)
    const plan = planQuery(listed, kind.collection, session.scope)
    const list = { plan, counts, nextPage: nextPageOf(target, this.#settings.bounds) }
    lists.put(session.scope, target, list)
    return list
  }

  #tagOf({ plan }: KnownList, { collection, target, counter }: AskedTarget): string {
    const { scope } = collection.session
    return listTag({ edition: this.#edition, scope, target, counter, strict: plan.strict === true })
  }

  #present({ nextPage }: KnownList, asked: AskedTarget, { etag, page, total, warnings }: FoundPage): FoundAnswer {
    const { collection, target, counter } = asked
    const answer = listAnswer(page, etag, nextPage(page.next), besideOf(warnings, total))
    this.#caches.answers.put(collection.session.scope, target, counter, answer)
    return { etag, answer, report: page.report }
  }
}

interface FoundPage {
  readonly etag: string
  readonly page: Page
  /** The number of all that match, where it was asked for. */
  readonly total: number | null
  readonly warnings: readonly Warning[]
}

function isNamed(etag: string, { known }: AskedTarget): boolean {
  return known !== undefined && namesTag(known, etag)
}

import type { KnownSession, SessionCache } from '../../accounts/session-cache.ts'
import { makeAnswer } from '../response/answer.ts'
import { etagOf } from '../response/send.ts'
import type { HttpServices } from '../services.ts'
import { type AskedTarget, type FoundAnswer, type ListAnswers, unlessKnown } from './list-answers.ts'
import type { RequestCaches } from './request-caches.ts'

/** What a GET asks that is waited for. */
export interface AwaitedTarget extends Omit<AskedTarget, 'counter' | 'since'> {
  readonly isList: boolean
  readonly since: number
  readonly credential: KnownSession
  readonly turn: () => Promise<void>
}

/** Any moment that the store still knows of. */
const ANY_TIME = Number.NEGATIVE_INFINITY

/**
 * Finds answers over a store that cannot tell at once whether anything has changed: it is asked once, for the credential and for what the answer depends
 * on. Null where the credential has to be looked up, or there is nothing.
 */
export class AnswersInTime {
  readonly #services: Pick<HttpServices, 'records'>
  readonly #sessions: SessionCache
  readonly #lists: ListAnswers
  readonly #caches: RequestCaches

  constructor(
    services: Pick<HttpServices, 'records'>,
    sessions: SessionCache,
    lists: ListAnswers,
    caches: RequestCaches,
  ) {
    this.#services = services
    this.#sessions = sessions
    this.#lists = lists
    this.#caches = caches
  }

  find(asked: AwaitedTarget): Promise<FoundAnswer | null> {
    return asked.isList ? this.#list(asked) : this.#record(asked)
  }

  async #list(asked: AwaitedTarget): Promise<FoundAnswer | null> {
    const { collection, target, known, since, credential, turn } = asked
    if (!(await this.#sessions.confirm(credential))) return null
    const { scope } = collection.session
    const counter = await this.#services.records.store.readChangeCounter(scope, since)
    const remembered = this.#caches.answers.get(scope, target, counter)
    if (remembered !== null) return unlessKnown(remembered, known)
    // Others have come meanwhile: to find a list may take long.
    await turn()
    return this.#lists.inTime({ ...asked, counter })
  }

  /** The record is read while the credential is asked for. What it is remembered by is from before it was read. */
  async #record({ collection, target, known, since, credential }: AwaitedTarget): Promise<FoundAnswer | null> {
    const { store } = this.#services.records
    const { answers } = this.#caches
    const { scope } = collection.session
    const read = () => store.read(collection.kind.collection, scope, target.slice(target.lastIndexOf('/') + 1))
    const before = await store.readChangeCounter(scope, ANY_TIME)
    const isRemembered = answers.has(scope, target)
    const [holds, early] = await Promise.all([this.#sessions.confirm(credential), isRemembered ? null : read()])
    if (!holds) return null
    if (isRemembered) {
      const remembered = answers.get(scope, target, await store.readChangeCounter(scope, since))
      if (remembered !== null) return unlessKnown(remembered, known)
    }
    const record = early ?? (await read())
    if (record === null) return null
    const answer = makeAnswer(record.text, etagOf(record))
    answers.put(scope, target, before, answer)
    return unlessKnown(answer, known)
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Session } from '../../accounts/session.ts'
import type { KnownSession, SessionCache } from '../../accounts/session-cache.ts'
import { AppError } from '../../kernel/errors.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { bankKinds } from '../../records/work/bank.ts'
import { API_PREFIX, canonicalTarget } from '../address.ts'
import type { Admission } from '../bounds/admission.ts'
import { goneSignal } from '../bounds/held.ts'
import type { Quotas } from '../bounds/quotas.ts'
import { HTTP_EVENTS } from '../events.ts'
import { countAnswer, type RequestCounter, type RequestMetrics } from '../metrics.ts'
import type { Passage } from '../passage.ts'
import { type BaseAddress, isWellFormed } from '../request/head.ts'
import type { AccessLog } from '../response/access-log.ts'
import { type Answer, COMMON_HEADERS, ENVELOPE_HEAD, linkTo, makeAnswer } from '../response/answer.ts'
import { etagOf, timingOf } from '../response/send.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { AnswersInTime } from './answers-in-time.ts'
import { type AskedTarget, type FoundAnswer, ListAnswers, unlessKnown } from './list-answers.ts'
import type { RequestCaches } from './request-caches.ts'

/** An exchange that waits for its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** What differs each time that an answer is sent. */
export interface Sending {
  readonly requestId: string
  /** The value of `Server-Timing`. */
  readonly timing: string
  /** The value of `Link`; null where there is none. */
  readonly link: string | null
  /** Headers that tell of quotas, names and values in turn. */
  readonly quota: readonly string[]
}

const ENVELOPE_BYTES = Buffer.from(ENVELOPE_HEAD)

/** Sends an answer. A short body leaves as one text with the head, a long one beside it without being copied. */
export function writeAnswer({ response }: Exchange, answer: Answer, sending: Sending): void {
  const { data, tail, isAscii } = answer
  response.writeHead(200, headersOf(answer.headers, sending))
  if (typeof data === 'string') {
    response.end(ENVELOPE_HEAD + data + tail, isAscii ? 'latin1' : 'utf8')
    return
  }
  response.cork()
  response.write(ENVELOPE_BYTES)
  response.write(data)
  response.end(tail)
}

/** Says that the client has the answer already. */
export function writeNotModified({ response }: Exchange, etag: string, sending: Sending): void {
  response.writeHead(304, headersOf(['etag', etag], sending)).end()
}

function headersOf(headers: readonly string[], { requestId, timing, link, quota }: Sending): string[] {
  const next = link === null ? [] : ['link', link]
  return [...headers, ...COMMON_HEADERS, ...next, ...quota, 'x-request-id', requestId, 'server-timing', timing]
}

/** What the lane needs beside the services. */
export interface FastLaneDeps {
  readonly services: HttpServices
  readonly settings: HttpSettings
  readonly caches: RequestCaches
  readonly sessions: SessionCache
  readonly admission: Admission
  readonly quotas: Quotas
  readonly baseOf: BaseAddress
  readonly nextRequestId: () => string
  /** Count the answers of each route; null when nobody will read them. */
  readonly counters: RequestMetrics | null
  /** Hears of every answer; null when nobody has asked for it. */
  readonly access: AccessLog | null
}

/** What becomes of a request that was waited for. */
export interface Ending {
  /** Waits for its turn, when it has waited for the store; refuses where nobody waits for the answer any more. */
  readonly turn: () => Promise<void>
  readonly answered: () => void
  readonly passedOn: () => void
}

/** A lane that requests may take past the framework. */
export interface FastLane {
  /** Answers a request of somebody who is known; false when it was not taken, and nothing has happened. */
  take(exchange: Exchange, session: Session, passage: Passage): boolean
  /**
   * The same over a store that has to be asked first. Of a request that was taken the end is heard later: it was answered, or it
   * has to go on as if nothing had happened.
   */
  takeLater(exchange: Exchange, credential: KnownSession, passage: Passage, end: Ending): boolean
  /** Sends all requests the framework's way from now on, which tells clients that the server is closing. */
  close(): void
}

/**
 * Answers what is asked most often, in the fewest steps: answers that are remembered, single records, and lists that take no longer
 * than a few milliseconds. It answers only what the framework's way would answer with 200 or 304, in the same words; whatever else it
 * meets, it passes on untouched.
 */
export function createFastLane(deps: FastLaneDeps): FastLane {
  const { services, settings, quotas, baseOf, nextRequestId, access } = deps
  const addressOf = addressFinder(services.kinds, deps.counters)
  const lists = new ListAnswers(services, settings, deps.caches)
  const find = answerFinder(deps, lists)
  const inTime = new AnswersInTime(services, deps.sessions, lists, deps.caches)
  let isOpen = true

  function visitOf({ request }: Exchange, session: Session, { arrivedAt }: Passage): Visit | null {
    if (!isOpen || !isPlainGet(request, settings.urlLimit)) return null
    const base = baseOf(request)
    const target = canonicalTarget(request.url ?? '/')
    const address = addressOf(target)
    return base === null || address === null ? null : { session, address, base, arrivedAt, target }
  }

  function askedBy({ session, address: { kind }, target }: Visit, { request }: Exchange, passage: Passage) {
    const collection = { deps: services.records, kind, session }
    return { collection, target, known: request.headers['if-none-match'], passage }
  }

  function take(exchange: Exchange, session: Session, passage: Passage): boolean {
    const visit = visitOf(exchange, session, passage)
    if (visit === null) return false
    const found = find(visit.address.isList, askedBy(visit, exchange, passage))
    if (found === null) return false
    send(exchange, found, visit)
    return true
  }

  function takeLater(exchange: Exchange, credential: KnownSession, passage: Passage, end: Ending): boolean {
    if (services.accounts.store.accountsVersion() !== null) return false
    const visit = visitOf(exchange, credential.session, passage)
    const leave = visit === null ? null : deps.admission.enter()
    if (visit === null || leave === null) return false
    const { isList } = visit.address
    const asked = {
      ...askedBy(visit, exchange, passage),
      isList,
      since: visit.arrivedAt,
      credential,
      turn: end.turn,
      signal: isList ? goneSignal(exchange.response) : undefined,
    }
    passage.enter('recall')
    inTime
      .find(asked)
      .catch((error: unknown) => {
        passage.failure = { error }
        return null
      })
      .then((found) => {
        leave()
        if (exchange.request.socket.destroyed) return
        if (found === null) return end.passedOn()
        send(exchange, found, visit)
        end.answered()
      })
      .catch((error: unknown) => services.log.tell(HTTP_EVENTS.laneFailed, {}, error))
    return true
  }

  function send(exchange: Exchange, { etag, answer, report }: FoundAnswer, visit: Visit): void {
    const { session, address, base, arrivedAt } = visit
    exchange.request.passage?.enter('send')
    const milliseconds = performance.now() - arrivedAt
    const requestId = nextRequestId()
    const next = answer?.next ?? null
    const sending = {
      requestId,
      timing: timingOf(milliseconds, report),
      link: next === null ? null : linkTo(base, next),
      quota: quotas.headersFor(session.user.id),
    }
    if (answer === null) writeNotModified(exchange, etag, sending)
    else writeAnswer(exchange, answer, sending)
    const { route, counter } = address
    const status = answer === null ? 304 : 200
    if (counter !== null) countAnswer(counter, status, milliseconds)
    if (access === null) return
    const bytes = answer?.bytes ?? 0
    access.note(exchange.request, { request: requestId, route, status, milliseconds, bytes, session })
  }

  return {
    take,
    takeLater,
    close() {
      isOpen = false
    },
  }
}

/** What the lane knows of a request when it answers it. */
interface Visit {
  readonly session: Session
  readonly address: KindAddress
  readonly base: string
  readonly arrivedAt: number
  readonly target: string
}

/** Makes the finder of answers that can be given at once; it gives null where one has to be waited for. */
function answerFinder({ services, caches }: FastLaneDeps, lists: ListAnswers) {
  const { store } = services.records
  const { answers } = caches

  function readOne({ collection: { kind, session }, target, counter, known }: AskedTarget): FoundAnswer | null {
    const record = store.glance(kind.collection, session.scope, target.slice(target.lastIndexOf('/') + 1))
    if (record === null) return null
    const answer = makeAnswer(record.text, etagOf(record))
    answers.put(session.scope, target, counter, answer)
    return unlessKnown(answer, known)
  }

  return (isList: boolean, given: Omit<AskedTarget, 'counter'>): FoundAnswer | null => {
    const { collection, target, known, passage } = given
    const { scope } = collection.session
    const counter = store.changeCounter(scope)
    if (counter === null) return null
    passage?.enter('recall')
    const remembered = answers.get(scope, target, counter)
    if (remembered !== null) return unlessKnown(remembered, known)
    const asked = { collection, target, counter, known, passage }
    try {
      return isList ? lists.atOnce(asked) : readOne(asked)
    } catch (error) {
      // The framework's way meets the same, and says what it is.
      if (!isRefusal(error)) services.log.tell(HTTP_EVENTS.laneFailed, {}, error)
      return null
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.status < 500
}

/** Without a body, and as HTTP wants it: everything else is refused or read elsewhere. */
function isPlainGet(request: IncomingMessage, urlLimit: number): boolean {
  const { method, headers, url = '' } = request
  return (
    method === 'GET' &&
    url.length <= urlLimit &&
    isWellFormed(request) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}

const ID = /^[\w-]{1,64}$/

/** What a target is the address of: the list of a kind of record, or one record. */
interface KindAddress {
  readonly kind: RecordKind
  readonly isList: boolean
  readonly route: string
  /** Null when nobody counts. */
  readonly counter: RequestCounter | null
}

/** Makes the finder of the kind that a target is the list of, or one record; null for anything else. */
function addressFinder(
  kinds: readonly RecordKind[],
  counters: RequestMetrics | null,
): (target: string) => KindAddress | null {
  const addressAt = (kind: RecordKind, isList: boolean): KindAddress => {
    const route = `${API_PREFIX}/${kind.collection}${isList ? '' : '/:id'}`
    return { kind, isList, route, counter: counters?.counterOf('GET', route) ?? null }
  }
  const lists = new Map(
    [...kinds, ...bankKinds(kinds)].map((kind) => [`${API_PREFIX}/${kind.collection}`, addressAt(kind, true)]),
  )
  const records = new Map(kinds.map((kind) => [`${API_PREFIX}/${kind.collection}/`, addressAt(kind, false)]))
  return (target) => {
    const mark = target.indexOf('?')
    const list = lists.get(mark === -1 ? target : target.slice(0, mark))
    if (list !== undefined) return list
    const start = target.lastIndexOf('/') + 1
    const record = records.get(target.slice(0, start))
    return record !== undefined && ID.test(target.slice(start)) ? record : null
  }
}

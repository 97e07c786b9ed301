import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Session } from '../../accounts/session.ts'
import type { Scope } from '../../query/plan.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { isWithoutMatches, listWarnings } from '../../records/warnings/list-warnings.ts'
import type { RunReport } from '../../store/port/record-store.ts'
import { API_PREFIX, canonicalTarget } from '../address.ts'
import type { Quotas } from '../bounds/quotas.ts'
import { HTTP_EVENTS } from '../events.ts'
import { countAnswer, type RequestCounter } from '../metrics.ts'
import { type BaseAddress, isWellFormed } from '../request/head.ts'
import { type AccessLog, routeOfShortWay } from '../response/access-log.ts'
import { type Answer, besideOf, COMMON_HEADERS, ENVELOPE_HEAD, linkTo, makeAnswer } from '../response/answer.ts'
import { etagOf, listAnswer, listTag, namesTag, timingOf } from '../response/send.ts'
import type { HttpServices } from '../services.ts'
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
  readonly caches: RequestCaches
  readonly quotas: Quotas
  readonly baseOf: BaseAddress
  readonly nextRequestId: () => string
  /** Counts the answers of the lane, whatever they are of; null when nobody will read it. */
  readonly counter: RequestCounter | null
  /** Hears of every answer; null when nobody has asked for it. */
  readonly access: AccessLog | null
}

/** A lane that requests may take past the framework. */
export interface FastLane {
  /** Answers a request of somebody who is known; false when it was not taken, and nothing has happened. */
  take(exchange: Exchange, session: Session | null, arrivedAt: number): boolean
  /** Sends all requests the regular way from now on, which tells clients that the server is closing. */
  close(): void
}

/** What a request of the lane asks. */
interface Asked {
  readonly scope: Scope
  readonly target: string
  /** The scope's change counter of before anything is read. */
  readonly counter: number
  /** `If-None-Match`. */
  readonly known: string | undefined
}

/** What a request is answered with: an answer, or that the client has it already. */
interface LaneAnswer {
  readonly etag: string
  readonly answer: Answer | null
  /** How the query of a list was run just now. */
  readonly report: RunReport | null
}

/**
 * Answers what is asked most often, in the fewest steps: answers that are remembered, single records, and lists that were
 * asked before. It answers only what the regular way would answer with 200 or 304, in the same words; whatever else it
 * meets, it passes on untouched.
 */
export function createFastLane({
  services,
  caches,
  quotas,
  baseOf,
  nextRequestId,
  counter,
  access,
}: FastLaneDeps): FastLane {
  const findKind = kindFinder(services.kinds)
  const { answers, lists } = caches
  const { edition } = services
  const { store } = services.records
  let isOpen = true

  function take(exchange: Exchange, session: Session | null, arrivedAt: number): boolean {
    const { request } = exchange
    if (session === null || !isOpen || !isPlainGet(request)) return false
    const known = request.headers['if-none-match']
    const found = find(session.scope, canonicalTarget(request.url ?? '/'), known)
    if (found === null) return false
    const { etag, answer, report } = found
    const next = answer?.next ?? null
    const base = next === null ? '' : baseOf(request)
    if (base === null) return false
    const milliseconds = performance.now() - arrivedAt
    const link = next === null ? null : linkTo(base, next)
    const sending = {
      requestId: nextRequestId(),
      timing: timingOf(milliseconds, report),
      link,
      quota: quotas.headersFor(session.user.id),
    }
    if (answer === null) writeNotModified(exchange, etag, sending)
    else writeAnswer(exchange, answer, sending)
    const status = answer === null ? 304 : 200
    if (counter !== null) countAnswer(counter, status, milliseconds)
    if (access !== null) {
      const { requestId } = sending
      const route = routeOfShortWay(canonicalTarget(request.url ?? '/'))
      access.note(request, { request: requestId, route, status, milliseconds, bytes: answer?.bytes ?? 0, session })
    }
    return true
  }

  function find(scope: Scope, target: string, known: string | undefined): LaneAnswer | null {
    const counter = store.changeCounter(scope)
    if (counter === null) return null
    const remembered = answers.get(scope, target, counter)
    if (remembered !== null) return unlessKnown(remembered, known)
    try {
      const kind = findKind(target)
      const asked = { scope, target, counter, known }
      return kind === undefined ? list(asked) : readOne(kind, asked)
    } catch (error) {
      // The regular way meets the same, and says what it is.
      services.log.tell(HTTP_EVENTS.laneFailed, {}, error)
      return null
    }
  }

  function readOne(kind: RecordKind, { scope, target, counter, known }: Asked): LaneAnswer | null {
    const record = store.glance(kind.collection, scope, target.slice(target.lastIndexOf('/') + 1))
    if (record === null) return null
    const answer = makeAnswer(record.text, etagOf(record))
    answers.put(scope, target, counter, answer)
    return unlessKnown(answer, known)
  }

  function list({ scope, target, counter, known }: Asked): LaneAnswer | null {
    const asked = lists.get(scope, target)
    if (asked === null) return null
    const etag = listTag({ edition, scope, target, counter, strict: asked.plan.strict === true })
    if (known !== undefined && namesTag(known, etag)) return { etag, answer: null, report: null }
    const page = store.glanceAtPage(asked.plan)
    if (page === null) {
      lists.drop(scope, target)
      return null
    }
    const collection = { deps: { store }, kind: asked.kind, session: { scope } }
    const warnings = listWarnings(collection, asked.plan, isWithoutMatches(asked.plan, page.count))
    const answer = listAnswer(page, etag, asked.nextPage(page.next), besideOf(warnings))
    answers.put(scope, target, counter, answer)
    return { etag, answer, report: page.report }
  }

  return {
    take,
    close() {
      isOpen = false
    },
  }
}

function unlessKnown(answer: Answer, known: string | undefined): LaneAnswer {
  const { etag } = answer
  return { etag, answer: known !== undefined && namesTag(known, etag) ? null : answer, report: null }
}

/** Without a body, and as HTTP wants it: everything else is refused or read elsewhere. */
function isPlainGet(request: IncomingMessage): boolean {
  const { method, headers } = request
  return (
    method === 'GET' &&
    isWellFormed(request) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}

const ID = /^[\w-]{1,64}$/

/** Finds the kind of record that a target is the address of one of; undefined for anything else. */
function kindFinder(kinds: readonly RecordKind[]): (target: string) => RecordKind | undefined {
  const byPrefix = new Map(kinds.map((kind) => [`${API_PREFIX}/${kind.collection}/`, kind]))
  return (target) => {
    const start = target.lastIndexOf('/') + 1
    const kind = byPrefix.get(target.slice(0, start))
    return kind !== undefined && ID.test(target.slice(start)) ? kind : undefined
  }
}

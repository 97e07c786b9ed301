import type { IncomingMessage } from 'node:http'
import type { Session } from '../../accounts/session.ts'
import type { Scope } from '../../query/plan/scope.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { isWithoutMatches, listWarnings } from '../../records/warnings/list-warnings.ts'
import type { RunReport } from '../../store/port/run-report.ts'
import { API_PREFIX, canonicalTarget } from '../address.ts'
import type { Quotas } from '../bounds/quotas.ts'
import { HTTP_EVENTS } from '../events.ts'
import { countAnswer, type RequestCounter } from '../metrics/request-metrics.ts'
import { type AccessLog, routeOfShortWay } from '../plugins/access-log.ts'
import type { BaseAddress } from '../request/base-address.ts'
import { isWellFormed } from '../request/well-formed-head.ts'
import { besideOf } from '../response/beside.ts'
import { etagOf, namesTag } from '../response/etag.ts'
import { listAnswer, listTag } from '../response/list-answer.ts'
import { timingOf } from '../response/server-timing.ts'
import type { HttpServices } from '../services.ts'
import { type Answer, linkTo, makeAnswer } from './answer.ts'
import type { Memory } from './memory.ts'
import { type Exchange, writeAnswer, writeNotModified } from './write-answer.ts'

/** What the lane needs beside the services. */
export interface FastLaneDeps {
  readonly services: HttpServices
  readonly memory: Memory
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
interface Finding {
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
  memory,
  quotas,
  baseOf,
  nextRequestId,
  counter,
  access,
}: FastLaneDeps): FastLane {
  const findKind = kindFinder(services.kinds)
  const { answers, lists } = memory
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

  function find(scope: Scope, target: string, known: string | undefined): Finding | null {
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

  function readOne(kind: RecordKind, { scope, target, counter, known }: Asked): Finding | null {
    const record = store.glance(kind.collection, scope, target.slice(target.lastIndexOf('/') + 1))
    if (record === null) return null
    const answer = makeAnswer(record.text, etagOf(record))
    answers.put(scope, target, counter, answer)
    return unlessKnown(answer, known)
  }

  function list({ scope, target, counter, known }: Asked): Finding | null {
    const asked = lists.get(scope, target)
    if (asked === null) return null
    const etag = listTag({ edition, scope, target, counter, strict: asked.plan.strict === true })
    if (known !== undefined && namesTag(known, etag)) return { etag, answer: null, report: null }
    const page = store.glanceAtPage(asked.plan)
    if (page === null) {
      lists.drop(scope, target)
      return null
    }
    const warnings = listWarnings(store, asked.kind, scope, asked.plan, isWithoutMatches(asked.plan, page.count))
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

function unlessKnown(answer: Answer, known: string | undefined): Finding {
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

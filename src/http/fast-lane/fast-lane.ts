import type { IncomingMessage, RequestListener } from 'node:http'
import type { Scope } from '../../query/plan/scope.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { API_PREFIX, canonicalTarget } from '../address.ts'
import { countAnswer, type RequestCounter } from '../metrics/request-metrics.ts'
import { etagOf, namesTag } from '../response/etag.ts'
import { timingOf } from '../response/server-timing.ts'
import type { HttpServices } from '../services.ts'
import { type Answer, makeAnswer } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Recognition } from './recognition.ts'
import type { AnswerWriter, Exchange } from './write-answer.ts'

/** What the lane needs beside the services. */
export interface FastLaneDeps {
  readonly services: HttpServices
  readonly recognition: Recognition
  readonly answers: AnswerCache
  readonly writer: AnswerWriter
  readonly nextRequestId: () => string
  /** Counts the answers of the lane, whatever they are of; null when nobody will read it. */
  readonly counter: RequestCounter | null
}

/** A lane that requests may take past the framework. */
export interface FastLane {
  /** Puts the lane before the listener that answers everything. */
  before(regular: RequestListener): RequestListener
  /** Sends all requests the regular way from now on, which tells clients that the server is closing. */
  close(): void
}

/**
 * Answers what is asked most often, in the fewest steps: answers that are remembered, and single records. It answers only
 * what the regular way would answer with 200 or 304, in the same words; whatever else it meets, it passes on untouched.
 */
export function createFastLane({
  services,
  recognition,
  answers,
  writer,
  nextRequestId,
  counter,
}: FastLaneDeps): FastLane {
  const findKind = kindFinder(services.kinds)
  const { store } = services.records
  let isOpen = true

  /** Tells whether the request was taken; if not, nothing has happened. */
  function take(exchange: Exchange): boolean {
    const arrivedAt = performance.now()
    const { request } = exchange
    const session = isPlainGet(request) ? recognition.sessionOf(request) : null
    if (session === null) return false
    const { scope } = session
    const target = canonicalTarget(request.url ?? '/')
    const answer = answers.get(scope, target) ?? readOne(scope, target)
    if (answer === null) return false
    const milliseconds = performance.now() - arrivedAt
    const sending = { requestId: nextRequestId(), timing: timingOf(milliseconds) }
    const known = request.headers['if-none-match']
    const hasIt = known !== undefined && namesTag(known, answer.etag)
    if (hasIt) writer.writeNotModified(exchange, answer.etag, sending)
    else writer.write(exchange, answer, sending)
    if (counter !== null) countAnswer(counter, hasIt ? 304 : 200, milliseconds)
    return true
  }

  function readOne(scope: Scope, target: string): Answer | null {
    const kind = findKind(target)
    if (kind === undefined) return null
    const moment = answers.isOn ? answers.momentOf(scope) : null
    const record = store.glance(kind.collection, scope, target.slice(target.lastIndexOf('/') + 1))
    if (record === null) return null
    const answer = makeAnswer(record.text, etagOf(record))
    if (moment !== null) answers.put(scope, target, moment, answer)
    return answer
  }

  return {
    before: (regular) => (request, response) => {
      if (!isOpen || !take({ request, response })) regular(request, response)
    },
    close() {
      isOpen = false
    },
  }
}

/** Without a body, and as HTTP wants it: everything else is refused or read elsewhere. */
function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.host !== undefined &&
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

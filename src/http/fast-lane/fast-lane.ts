import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { SessionCache } from '../../accounts/session-cache.ts'
import type { Scope } from '../../query/plan/scope.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { API_PREFIX, canonicalTarget } from '../address.ts'
import { countAnswer, type RequestCounter } from '../metrics/request-metrics.ts'
import { findCredentials } from '../request/credentials.ts'
import { etagOf, namesTag } from '../response/etag.ts'
import type { HttpServices } from '../services.ts'
import { type Answer, makeAnswer, type Sending, writeAnswer, writeNotModified } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'

/** What the lane needs beside the services. */
export interface FastLaneDeps {
  readonly services: HttpServices
  readonly sessions: SessionCache
  readonly answers: AnswerCache
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
export function createFastLane({ services, sessions, answers, nextRequestId, counter }: FastLaneDeps): FastLane {
  const findKind = kindFinder(services.kinds)
  const { store } = services.records
  let isOpen = true

  /** Tells whether the request was taken; if not, nothing has happened. */
  function take(request: IncomingMessage, response: ServerResponse, regular: RequestListener): boolean {
    const arrivedAt = performance.now()
    const scope = scopeOf(request)
    if (scope === null) return false
    const target = canonicalTarget(request.url ?? '/')
    const remembered = answers.get(scope, target)
    if (remembered !== null) {
      give(request, response, remembered, arrivedAt)
      return true
    }
    const kind = findKind(target)
    if (kind === undefined) return false
    const pass = () => regular(request, response)
    readOne(kind, scope, target).then((answer) => {
      if (answer === null) pass()
      else give(request, response, answer, arrivedAt)
    }, pass)
    return true
  }

  function give(request: IncomingMessage, response: ServerResponse, answer: Answer, arrivedAt: number): void {
    const status = send(request, response, answer, { requestId: nextRequestId(), arrivedAt })
    if (counter !== null) countAnswer(counter, status, performance.now() - arrivedAt)
  }

  /** What the asker may see; null when that is not known yet, or the request is not a plain one. */
  function scopeOf(request: IncomingMessage): Scope | null {
    const credentials = isPlainGet(request) ? findCredentials(request.headers) : null
    const session = credentials === null ? null : sessions.recall(credentials)
    return session === null ? null : session.scope
  }

  async function readOne(kind: RecordKind, scope: Scope, target: string): Promise<Answer | null> {
    const moment = answers.isOn ? answers.momentOf(scope) : null
    const record = await store.read(kind.collection, scope, target.slice(target.lastIndexOf('/') + 1))
    if (record === null) return null
    const answer = makeAnswer(`{"status":"success","data":${record.text}}`, etagOf(record))
    if (moment !== null) answers.put(scope, target, moment, answer)
    return answer
  }

  return {
    before: (regular) => (request, response) => {
      if (!isOpen || !take(request, response, regular)) regular(request, response)
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

/** Sends the answer, or that the client has it; gives the status. */
function send(request: IncomingMessage, response: ServerResponse, answer: Answer, sending: Sending): 200 | 304 {
  const known = request.headers['if-none-match']
  if (known !== undefined && namesTag(known, answer.etag)) {
    writeNotModified(response, answer.etag, sending)
    return 304
  }
  writeAnswer(response, answer, sending)
  return 200
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

import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { assertMayWrite } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { noRoom } from '../../store/limits.ts'
import { tooManyWaiting } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { RequestContext, type ServerParts, sessionOf } from '../exchange/context.ts'
import { headRefusal, unusableForwarding } from '../exchange/head.ts'
import { emptyResponse, PREFLIGHT_HEADERS, type Response } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import type { Refusals } from '../metrics-page.ts'
import { readBody } from '../request/arriving-body.ts'
import type { Authentication } from '../request/authenticate.ts'
import type { FaultResponder } from '../response/fault.ts'
import type { AccessLog, ResponseWriter } from '../response/write-response.ts'
import { refuseAndClose } from './broken-connections.ts'
import { carryOutOnce, type OnceParts } from './carry-out-once.ts'
import type { Router } from './router.ts'

/** Parts that the stations use. */
export interface ListenerParts extends ServerParts {
  readonly authentication: Authentication
  readonly router: Router
  readonly admission: Admission
  readonly once: OnceParts
  readonly urlLimit: number
  readonly refusals: Refusals
  readonly access: AccessLog | null
  readonly write: ResponseWriter
  readonly respondToFault: FaultResponder
}

/** Makes what Node calls with every request. All go the same way: the stations of `answer`, in its order. */
export function createRequestListener(parts: ListenerParts): RequestListener {
  const { turns, authentication, write } = parts
  const refused = new WeakSet<Socket>()

  return (request, response) => {
    const context = new RequestContext(request, response, parts)
    context.client = authentication.clientOf(request)
    const begin = (): void => {
      handle(context).catch((error: unknown) => {
        parts.noteBrokenOff(error, context)
        response.destroy()
      })
    }
    if (turns.mayBegin(context.user, context.arrivedAt)) begin()
    else if (!turns.defer(context.user, begin)) refuse(context)
  }

  async function handle(context: RequestContext): Promise<void> {
    if (context.raw.socket.destroyed) return
    context.enter('turn')
    try {
      await write(context, await answer(context, parts))
    } catch (error) {
      await write(context, parts.respondToFault(error, context))
    }
  }

  function refuse(context: RequestContext): void {
    const { raw, response, id } = context
    // Told once already: whoever goes on sending has no use for another answer.
    if (refused.has(raw.socket)) raw.socket.destroy()
    refused.add(raw.socket)
    const refusal = tooManyWaiting()
    parts.refusals.note(refusal)
    const { status } = refusal
    parts.access?.note(context, { request: id, route: 'none', status, milliseconds: 0, bytes: 0, session: null })
    refuseAndClose(response, refusal, id)
  }
}

/** The way of a request from its head to its answer. */
async function answer(context: RequestContext, parts: ListenerParts): Promise<Response> {
  const { authentication, quotas, router, admission } = parts
  const sender = context.user
  quotas?.count(sender)
  context.enter('route')
  assertReadable(context, parts)
  const exceeded = parts.held.bytes.isExceededBy(sender)
  if (exceeded !== null) throw noRoom(exceeded, parts.held.bytes)
  if (context.method === 'OPTIONS') return allowedMethods(context, router)
  const route = router.route(context)
  assertBodyAllowed(context)
  context.enter('authenticate')
  if (route.access !== 'guest') await authentication.authenticate(context, route.access)
  context.enter('admit')
  if (route.isProbe !== true) quotas?.assertWithin(context.user, sender)
  // Before the body is read, and before an answer is looked for that was kept for somebody who might write.
  const isKept = route.repeats === 'kept' && (route.writesOnRequest !== true || hasKey(context))
  if (isKept) assertMayWrite(sessionOf(context))
  context.enter('body')
  if (!isReading(context)) await readBody(context, route)
  context.enter('handle')
  if (route.isProbe === true) return route.handler(context)
  return admission.admit(async () => carryOut(context, route, parts.once))
}

function carryOut(context: RequestContext, route: Route, once: OnceParts): Promise<Response> | Response {
  return hasKey(context) ? carryOutOnce(context, route, once) : route.handler(context)
}

function hasKey({ headers }: RequestContext): boolean {
  return headers['idempotency-key'] !== undefined
}

function assertReadable({ raw, url }: RequestContext, { urlLimit, baseOf }: ListenerParts): void {
  const refusal = (raw.url ?? '').length > urlLimit ? urlTooLong(urlLimit) : headRefusal(raw, url)
  if (refusal !== null) throw refusal
  if (baseOf(raw) === null) throw unusableForwarding()
}

/** Preflights are answered anywhere, so that a page can read the 404 that follows; else OPTIONS lists the methods. */
function allowedMethods(context: RequestContext, router: Router): Response {
  const methods = router.methodsAt(context.path)
  if (methods.length === 0 && context.headers['access-control-request-method'] === undefined) {
    throw router.refusalOf(context)
  }
  return emptyResponse(204, { ...PREFLIGHT_HEADERS, ...(methods.length === 0 ? {} : { allow: methods.join(', ') }) })
}

function isReading({ method }: RequestContext): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A query in the body of a GET would not be read, and the answer would be to another question. */
function assertBodyAllowed(context: RequestContext): void {
  const { headers } = context
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  if (!hasBody || !isReading(context)) return
  throw new AppError(HTTP_ERRORS.unexpectedBody, 'A GET request has no body here: it would not be read.', {
    hint: 'Put query and projection into the URL, or into the body of POST …/search.',
  })
}

function urlTooLong(limit: number): AppError {
  return new AppError(HTTP_ERRORS.urlTooLong, `The URL is longer than ${limit} characters.`, {
    hint: 'Send a long query in the body of POST …/search.',
  })
}

/** Lets so many requests be answered at a time. */
export interface Admission {
  /** Runs what answers a request; where as many are being answered as there may be, the next one is refused at once. */
  readonly admit: <Result>(run: () => Promise<Result>) => Promise<Result>
  readonly answering: number
}

export function createAdmission(limit: number): Admission {
  let answering = 0
  return {
    get answering() {
      return answering
    },
    async admit(run) {
      if (answering >= limit) throw overloaded()
      answering++
      try {
        return await run()
      } finally {
        answering--
      }
    },
  }
}

function overloaded(): AppError {
  return new AppError(
    HTTP_ERRORS.overloaded,
    'The server is answering as many requests as it can. Try again in a second.',
    { retryAfterSeconds: 1 },
  )
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Turns } from '../../kernel/turns.ts'
import { type Held, noteUnread } from '../bounds/held.ts'
import { tooManyWaiting } from '../bounds/intake.ts'
import type { Quotas } from '../bounds/quotas.ts'
import type { FastLane } from '../fast-lane/fast-lane.ts'
import type { ClientIdentity, Identification } from '../fast-lane/identification.ts'
import type { Refusals } from '../metrics.ts'
import type { AccessLog } from '../response/access-log.ts'
import { refuseAndClose } from './broken-connections.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** What was found out when its head had been read; undefined for requests that came another way than over a socket. */
    asked?: Asked
  }
}

/** A request as the door saw it. */
export interface Asked {
  /** Under what it counts where users are kept apart: the id of a user, or the address of somebody unknown. */
  readonly user: string
  /** `performance.now()`, before it waited for its turn. */
  readonly arrivedAt: number
}

/** What stands between Node's server and whatever answers. */
export interface ListenerParts {
  readonly turns: Turns
  readonly held: Held
  readonly quotas: Quotas
  /** Milliseconds without a byte in or out after which a connection that holds something is ended. */
  readonly stallMs: number
  readonly identification: Identification
  readonly lane: FastLane
  readonly refusals: Refusals
  readonly access: AccessLog | null
  readonly nextRequestId: () => string
}

/** Makes the door that every request comes through: it gives users their turns, then tries the fast lane, then the regular way. */
export function listenBefore(
  regular: RequestListener,
  { turns, held, quotas, stallMs, identification, lane, refusals, access, nextRequestId }: ListenerParts,
): RequestListener {
  const refused = new WeakSet<Socket>()
  const hasQuotas = quotas.isOn

  function begin(
    request: IncomingMessage,
    response: ServerResponse,
    identity: ClientIdentity,
    arrivedAt: number,
  ): void {
    const { user } = identity
    const isWithin = !hasQuotas || quotas.count(user)
    if (
      isWithin &&
      held.bytes.isExceededBy(user) === null &&
      lane.take({ request, response }, identification.sessionOf(request, identity), arrivedAt)
    ) {
      const { writableLength: bytes } = request.socket
      if (bytes === 0) return
      noteUnread(held, { user, bytes }, { response, socket: request.socket })
      request.socket.setTimeout(stallMs)
      return
    }
    request.asked = { user, arrivedAt }
    regular(request, response)
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    // Told once already: whoever goes on sending has no use for another answer.
    if (refused.has(request.socket)) request.socket.destroy()
    refused.add(request.socket)
    const refusal = tooManyWaiting()
    refusals.note(refusal)
    const requestId = nextRequestId()
    const { status } = refusal
    access?.note(request, { request: requestId, route: 'none', status, milliseconds: 0, bytes: 0, session: null })
    refuseAndClose(response, refusal, requestId)
  }

  return (request, response) => {
    const arrivedAt = performance.now()
    const identity = identification.identityOf(request)
    if (turns.mayBegin(identity.user, arrivedAt)) {
      begin(request, response, identity, arrivedAt)
      return
    }
    const isTaken = turns.defer(identity.user, () => {
      if (!request.socket.destroyed) begin(request, response, identity, arrivedAt)
    })
    if (!isTaken) refuse(request, response)
  }
}

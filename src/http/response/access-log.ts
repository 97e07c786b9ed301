import type { Session } from '../../accounts/session.ts'
import type { Log } from '../../kernel/log.ts'
import { HTTP_EVENTS } from '../events.ts'
import type { RequestContext } from '../exchange/context.ts'

/** Summary of an answer. */
export interface Answered {
  readonly request: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** Bytes sent of the body; of a stream, with its head. */
  readonly bytes: number
  readonly session: Session | null
}

/** Tells the log of every request. */
export interface AccessLog {
  note(context: Pick<RequestContext, 'method' | 'address'>, answered: Answered): void
}

export function createAccessLog(log: Log): AccessLog {
  return {
    note({ method, address }, { session, ...answered }) {
      log.tell(HTTP_EVENTS.requestAnswered, {
        ...answered,
        method,
        milliseconds: Math.round(answered.milliseconds * 100) / 100,
        user: session?.user.name ?? null,
        account: session?.account.slug ?? null,
        address,
      })
    },
  }
}

import type { FastifyBaseLogger } from 'fastify'
import type { Log } from '../../kernel/log.ts'
import { HTTP_EVENTS } from '../events.ts'

/**
 * Makes events of what the web framework has to say: answers that broke off, for the most part. It hands over requests and responses as
 * they are; only its words and its errors go on.
 */
export function frameworkLog(log: Log): FastifyBaseLogger {
  const telling = (event: (typeof HTTP_EVENTS)['frameworkFailed' | 'frameworkNoted']) => {
    return (what: unknown, words?: unknown) => {
      log.tell(event, { reason: String(typeof what === 'string' ? what : words) }, errorIn(what))
    }
  }
  const failed = telling(HTTP_EVENTS.frameworkFailed)
  const noted = telling(HTTP_EVENTS.frameworkNoted)
  const logger: FastifyBaseLogger = {
    level: 'debug',
    fatal: failed,
    error: failed,
    warn: noted,
    info: noted,
    debug: noted,
    trace: noted,
    silent: () => {},
    child: () => logger,
  }
  return logger
}

function errorIn(what: unknown): unknown {
  if (what instanceof Error) return what
  return typeof what === 'object' && what !== null && 'err' in what ? what.err : undefined
}

import { AppError } from '../../../kernel/errors.ts'
import { busyError, closedError, DAMAGE_HINT, STORE_ERRORS } from '../../errors.ts'

/** The code of what PostgreSQL, or the way to it, has against a statement; null for any other error. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Ended by its time limit. */
const CANCELED = '57014'
/** Lost against another transaction: the same is tried again. */
const LOST = new Set(['40001', '40P01'])
const NO_ROOM = new Set(['53100'])
/** Data, or an index, is not what was written. */
const DAMAGED = new Set(['XX001', 'XX002'])
/** The connection is gone, cannot be had, or the server is stopping: classes of SQLSTATE, and what the driver calls it. */
const UNREACHABLE = /^(08|57P|25P03|53[23]|CONNECT|ECONN|ENOENT|ETIMEDOUT|EPIPE|ENOTFOUND)/

/** Whether a connection could not be had or was lost, so that nothing is known of what was asked last. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.test(codeOf(error) ?? '')
}

/** Codes of `UNREACHABLE` for no connection at all, so that nobody has one. */
const OUT_OF_REACH = /^(CONNECT_TIMEOUT|ECONNREFUSED|ENOENT|ETIMEDOUT|ENOTFOUND)/

/** Whether the server cannot be reached at all, by anybody. */
export function isOutOfReach(error: unknown): boolean {
  return OUT_OF_REACH.test(codeOf(error) ?? '')
}

/** Codes of `UNREACHABLE` for a lost connection: another may do. */
const CUT_OFF = /^(57P0[1-3]|25P03|CONNECTION_(CLOSED|DESTROYED)|ECONNRESET|EPIPE)/

/** Whether a connection was lost, perhaps before anything was asked. */
export function isCutOff(error: unknown): boolean {
  return CUT_OFF.test(codeOf(error) ?? '')
}

/** Nothing of Quarry is there. */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01'
}

/** Whether a statement was ended, by its time limit or by somebody. */
export function isCanceled(error: unknown): boolean {
  return codeOf(error) === CANCELED
}

export function isLost(error: unknown): boolean {
  return LOST.has(codeOf(error) ?? '')
}

const RETRY_AFTER_SECONDS = 1

/** Code of a pooler that does not hand on a parameter of a connection. */
const UNKNOWN_PARAMETER = '08P01'

/** Remedies for a pooler, in PgBouncer's words. */
export const POOLER =
  'Name the server itself (a process takes ten connections), or let the pooler use pool_mode=session with ' +
  "ignore_startup_parameters=statement_timeout, and ALTER ROLE … SET statement_timeout = '30s'."

/** Error that the opener of a database gets; the server's message names no password. */
export function openFault(error: unknown): unknown {
  if (error instanceof AppError || codeOf(error) === null) return error
  const hint =
    codeOf(error) === UNKNOWN_PARAMETER
      ? POOLER
      : 'Look whether the server runs, the database has been created, and the user may use it.'
  return new AppError(
    STORE_ERRORS.cannotOpen,
    `The database cannot be opened: ${(error as Error).message}.`,
    { hint },
    error,
  )
}

export function readFault(error: unknown, budgetMs: number): unknown {
  const code = codeOf(error)
  if (error instanceof AppError || code === null) return error
  if (code === 'CONNECTION_ENDED') return closedError()
  if (code === CANCELED) return busyError(budgetMs)
  if (DAMAGED.has(code)) {
    const message = 'What the database keeps of this is damaged in the storage.'
    return new AppError(STORE_ERRORS.damagedRecord, message, { hint: DAMAGE_HINT }, error)
  }
  return UNREACHABLE.test(code) ? outOfReach(error) : error
}

/** Error that the caller gets when the server does not answer. */
export function outOfReach(cause?: unknown): AppError {
  return new AppError(
    STORE_ERRORS.unreadable,
    'The database could not be reached.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, hint: 'Try again.' },
    cause,
  )
}

/** Error that the caller gets when the outcome of a write is unknown. */
export function outcomeUnknown(cause: unknown): AppError {
  return new AppError(
    STORE_ERRORS.outcomeUnknown,
    'The database was lost while it committed the write, and could not be asked since: it may have been kept, or not.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, hint: 'Look whether it is there before you send it again.' },
    cause,
  )
}

export function writeFault(error: unknown): unknown {
  const code = codeOf(error)
  if (error instanceof AppError || code === null) return error
  if (code === 'CONNECTION_ENDED') return closedError()
  if (NO_ROOM.has(code)) {
    const message = 'The database has no room for the write; nothing of it was kept.'
    return new AppError(STORE_ERRORS.noRoom, message, {}, error)
  }
  return new AppError(
    STORE_ERRORS.notWritten,
    'The database did not take the write; nothing of it was kept.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, hint: 'Try again.' },
    error,
  )
}

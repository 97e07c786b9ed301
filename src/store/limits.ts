import { AppError } from '../kernel/errors.ts'
import type { Exceeded, Shares } from '../kernel/turns.ts'
import { STORE_ERRORS } from './errors.ts'
import type { Deed } from './port/audit.ts'
import { storedBytes } from './port/named-files.ts'
import type { Change, StorageExceeded, StorageLimits } from './port/record-store.ts'

const MIB = 2 ** 20

/** Takes room for bytes that somebody will hold; refuses when there is not so much left. Whoever takes it gives it back. */
export function takeBytes(shares: Shares, user: string, bytes: number): void {
  const exceeded = shares.take(user, bytes)
  if (exceeded !== null) throw noRoom(exceeded, shares)
}

/** Makes the refusal of whoever would hold too much. */
export function noRoom(exceeded: Exceeded, { limits }: Shares): AppError {
  const retryAfterSeconds = 2
  if (exceeded === 'own') {
    const message = `Your requests and the answers that you have not read yet take as much memory as one user may have: ${mib(limits.perUser)} MiB.`
    const hint = 'Read the answers, and send large bodies one after the other.'
    return new AppError(STORE_ERRORS.tooManyBytesOfOne, message, { limit: limits.perUser, hint, retryAfterSeconds })
  }
  const message = `Requests and answers take as much memory as the server has for them: ${mib(limits.inAll)} MiB.`
  return new AppError(STORE_ERRORS.tooManyBytes, message, { limit: limits.inAll, retryAfterSeconds })
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB)
}

/** Pages up to this size are made without asking for room: as many as there are at a time. */
const UNASKED_BYTES = 4 * 1024 * 1024
/** Between the two looks at it, a page may grow by so much. */
const GROWTH = 1.1

/** That a page would have more bytes than it might. */
export interface TooLarge {
  readonly tooLarge: number
}

/** Makes a page. For a large one room is taken before it is made, and given back when it is there. */
export async function withRoom<Page extends object>(
  bytes: Shares,
  user: string,
  make: (mostBytes: number) => Promise<Page | TooLarge>,
): Promise<Page> {
  let taken = 0
  try {
    for (;;) {
      const found = await make(Math.max(UNASKED_BYTES, taken))
      if (!('tooLarge' in found)) return found
      const wanted = Math.ceil(GROWTH * found.tooLarge)
      if (wanted > bytes.limits.perUser) throw pageTooLarge(found.tooLarge, bytes.limits.perUser)
      bytes.give(user, taken)
      taken = 0
      takeBytes(bytes, user, wanted)
      taken = wanted
    }
  } finally {
    if (taken > 0) bytes.give(user, taken)
  }
}

function pageTooLarge(bytes: number, limit: number): AppError {
  return new AppError(
    STORE_ERRORS.pageTooLarge,
    `The page would have some ${bytes} bytes; one user may have ${limit} bytes of answers at a time.`,
    {
      path: 'projection.limit',
      limit,
      hint: 'Ask for fewer with limit, for less of each with fields, or for all of them as an export.',
    },
  )
}

/** Says whether a change would give its account more than it may have; null where it may be made. */
export type StorageQuota = (change: Change, deed: Deed | undefined) => StorageExceeded | null

export interface Usage {
  readonly records: number
  readonly bytes: number
}

export const NO_USAGE: Usage = { records: 0, bytes: 0 }

/** Look-ups of what a store has. */
interface Stored {
  usageOf(account: string): Usage
  /** Stored bytes of a record of its account, see `storedBytes`; null if there is none. */
  bytesOf(of: Pick<Change, 'collection' | 'id' | 'accountId'>): number | null
}

/** Lets pass what nobody has asked for: acts in no user's name, what follows from other changes, and an account's first default record. */
export function storageQuota({ usageOf, bytesOf }: Stored, limits: StorageLimits): StorageQuota {
  if (limits.records === 0 && limits.bytes === 0) return () => null
  const exceededBy = (after: Usage, grows: Usage): StorageExceeded | null => {
    for (const quota of ['records', 'bytes'] as const) {
      const limit = limits[quota]
      if (limit > 0 && grows[quota] > 0 && after[quota] > limit) return { outcome: 'full', quota, limit }
    }
    return null
  }

  return (change, deed) => {
    if ((deed?.user ?? null) === null || change.follows === true) return null
    if (change.action === 'insert') {
      if (change.isDefault === true) return null
      const before = usageOf(change.accountId)
      const grows = { records: 1, bytes: storedBytes(change.text) }
      return exceededBy({ records: before.records + 1, bytes: before.bytes + grows.bytes }, grows)
    }
    if (change.action !== 'replace') return null
    const had = bytesOf(change)
    if (had === null) return null
    const before = usageOf(change.accountId)
    const bytes = storedBytes(change.text) - had
    return exceededBy({ records: before.records, bytes: before.bytes + bytes }, { records: 0, bytes })
  }
}

import type { MeterUse } from '../../port/account-store.ts'
import type { Connection } from '../database.ts'
import { levelOf, meterReader } from '../meters.ts'

/** Addresses that a user is known by: those used last. */
const MOST_ADDRESSES = 50
/** Meters that are kept: those that take longest to empty. */
const MOST_METERS = 50_000
/** How many more there may be for a while; counting them takes its time. */
const SURPLUS_METERS = 1000

/** Writes what slows down those who guess passwords, and which addresses it does not slow down. */
export interface LoginWriter {
  countOn(meters: readonly MeterUse[], now: number): number
  takeBackFrom(meters: readonly MeterUse[], now: number): 'done'
  noteAddress(userId: string, digest: string, usedAt: number): 'done'
}

/** Prepares the statements. */
export function loginWriter(connection: Connection): LoginWriter {
  const waitOf = meterReader(connection)
  const find = connection.prepare<[string], number>('SELECT empty_at FROM login_meter WHERE key = ?').pluck()
  const put = connection.prepare('INSERT OR REPLACE INTO login_meter (key, empty_at) VALUES (?, ?)')
  const forget = connection.prepare('DELETE FROM login_meter WHERE key = ?')
  const forgetEmpty = connection.prepare('DELETE FROM login_meter WHERE empty_at <= ?')
  const countMeters = connection.prepare<[], number>('SELECT count(*) FROM login_meter').pluck()
  const forgetEmptiest = connection.prepare(
    'DELETE FROM login_meter WHERE key IN (SELECT key FROM login_meter ORDER BY empty_at LIMIT max(0, ?))',
  )
  const putAddress = connection.prepare(
    `INSERT INTO known_address (user, digest, used_at) SELECT id, ?, ? FROM user WHERE id = ?
     ON CONFLICT (user, digest) DO UPDATE SET used_at = max(used_at, excluded.used_at)`,
  )
  const forgetAddresses = connection.prepare(
    `DELETE FROM known_address WHERE user = ? AND digest NOT IN
       (SELECT digest FROM known_address WHERE user = ? ORDER BY used_at DESC, digest LIMIT ${MOST_ADDRESSES})`,
  )
  let counted = SURPLUS_METERS

  function keepFew(now: number): void {
    forgetEmpty.run(now)
    counted += 1
    if (counted < SURPLUS_METERS) return
    counted = 0
    forgetEmptiest.run((countMeters.get() ?? 0) - MOST_METERS)
  }

  return {
    countOn(meters, now) {
      const wait = waitOf(meters, now)
      if (wait > 0) return wait
      for (const { key, share, windowMs } of meters) put.run(key, levelOf(find.get(key), windowMs, now) + share)
      keepFew(now)
      return 0
    },
    takeBackFrom(meters, now) {
      for (const { key, share, windowMs } of meters) {
        const emptyAt = levelOf(find.get(key), windowMs, now) - share
        if (emptyAt > now) put.run(key, emptyAt)
        else forget.run(key)
      }
      return 'done'
    },
    noteAddress(userId, digest, usedAt) {
      putAddress.run(digest, usedAt, userId)
      forgetAddresses.run(userId, userId)
      return 'done'
    },
  }
}

import { waitFor } from '../../accounts/login-meter.ts'
import type { MeterUse } from '../../port/account-store.ts'
import type { Connection } from './database.ts'

/** Prepares the question how long it takes until all of some meters have room. */
export function meterReader(connection: Connection): (meters: readonly MeterUse[], now: number) => number {
  const find = connection.prepare<[string], number>('SELECT empty_at FROM login_meter WHERE key = ?').pluck()
  return (meters, now) => Math.max(0, ...meters.map((meter) => waitFor(find.get(meter.key), meter, now)))
}

import { setTimeout as wait } from 'node:timers/promises'
import { RECORD_EVENTS } from '../records/events.ts'
import { fillInSymmetry } from '../records/use-cases/recompute.ts'
import type { Services } from './open-services.ts'
import type { Config } from './settings.ts'
import { WorkTurn } from './turn.ts'

const MARK = 'symmetry'

/** Times at which a server looks for materials without symmetry. */
export interface TendingTimes {
  /** After the start, in milliseconds. */
  readonly firstMs: number
  /** Again. */
  readonly againMs: number
}

const TIMES: TendingTimes = { firstMs: 5_000, againMs: 600_000 }

/** Fills in the symmetry of materials that were stored without it. Gives the way to end, which waits for the step under way. */
export function tendSymmetry(
  services: Services,
  { symmetry, symmetryTimeMs }: Pick<Config, 'symmetry' | 'symmetryTimeMs'>,
  times: TendingTimes = TIMES,
): () => Promise<void> {
  if (symmetry === 'off') return () => Promise.resolve()
  const ending = new AbortController()
  const tending = tend(services, symmetryTimeMs, times, ending.signal)
  return () => {
    ending.abort()
    return tending
  }
}

async function tend(
  services: Services,
  symmetryTimeMs: number,
  { firstMs, againMs }: TendingTimes,
  signal: AbortSignal,
): Promise<void> {
  const { records, kinds } = services
  const turn = new WorkTurn(services, MARK)
  const mayGoOn = () => turn.isOurs()
  for (let waitMs = firstMs; !signal.aborted; waitMs = turn.pauseOf(againMs)) {
    await wait(waitMs, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) continue
    try {
      await fillInSymmetry(records, kinds, { symmetryTimeMs, signal, mayGoOn })
    } catch (error) {
      if (!signal.aborted) services.log.tell(RECORD_EVENTS.symmetryNotFilledIn, {}, error)
    }
  }
}

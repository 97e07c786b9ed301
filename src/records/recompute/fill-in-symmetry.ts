import { setTimeout as wait } from 'node:timers/promises'
import type { RecordDeps } from '../deps.ts'
import { RECORD_EVENTS } from '../events.ts'
import type { RecordKind } from '../record-kind.ts'
import { countRecomputed, recomputeRecords } from './recompute-records.ts'

/** How symmetry is filled in beside the work of a server. */
export interface FillInOptions {
  /** What the search for the symmetry of one record may take: those that were given up sooner are tried again. */
  readonly symmetryTimeMs: number
  /** Ends it after the step that is under way. */
  readonly signal: AbortSignal
  /** Asked before each step where there is something to do: whether it is this process that does it. */
  readonly mayGoOn?: () => Promise<boolean>
}

/** Records of one step: some tens of milliseconds for a thread that nobody else needs. */
const AT_ONCE = 20
const LOOK_AGAIN_MS = 250

/**
 * Finds the symmetry of stored records that were stored without it for a reason that has passed: it was switched off, the server was
 * stopping, the limit was lower. What cannot be found is not tried again: the record says so. Gives how many records have it now.
 */
export async function fillInSymmetry(
  deps: RecordDeps,
  kinds: readonly RecordKind[],
  { symmetryTimeMs, signal, mayGoOn = () => Promise.resolve(true) }: FillInOptions,
): Promise<number> {
  let filledIn = 0
  for (const kind of kinds) {
    if (kind.symmetryMissed === undefined) continue
    const query = kind.symmetryMissed(symmetryTimeMs)
    if ((await countRecomputed(deps, kind.collection, query)) === 0 || !(await mayGoOn())) continue
    await whenIdle(deps, signal)
    for await (const { changed } of recomputeRecords(deps, kind, { symmetry: 'passing', query, atOnce: AT_ONCE })) {
      filledIn += changed
      await whenIdle(deps, signal)
      if (signal.aborted || !(await mayGoOn())) break
    }
  }
  if (filledIn > 0) deps.log.tell(RECORD_EVENTS.symmetryFilledIn, { count: filledIn })
  return filledIn
}

/** Waits until nobody else has work for the threads. */
async function whenIdle({ work }: RecordDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && work.figures.busy + work.figures.waiting > 0) {
    await wait(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

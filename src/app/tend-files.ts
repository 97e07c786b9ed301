import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '../kernel/names.ts'
import { type CollectedFiles, collectFiles } from '../records/use-cases/collect-files.ts'
import { STORE_EVENTS } from '../store/events.ts'
import type { Services } from './open-services.ts'

/** Says who has last begun to look for contents that nothing names, and when; `quarry backup` takes it, and keeps all contents that way. */
export const FILES_MARK = 'files'

const DAY_MS = 86_400_000

/** Times at which a server looks for contents that nothing names, in milliseconds. */
export interface CollectingTimes {
  /** After the start. */
  readonly firstMs: number
  /** Looks whether it is time. */
  readonly lookMs: number
  /** Between two times, of all processes over the same data together. */
  readonly againMs: number
  /** For which contents are kept after their last use. */
  readonly graceMs: number
  /** Of a pause between some contents and more. */
  readonly pauseMs: number
}

const TIMES: CollectingTimes = { firstMs: 600_000, lookMs: 3_600_000, againMs: DAY_MS, graceMs: DAY_MS, pauseMs: 200 }

type Tended = Pick<Services, 'store' | 'records' | 'log'>

/** Removes contents that nothing names, now and then. Gives the way to end, which waits for the step under way. */
export function tendFiles(services: Tended, times: CollectingTimes = TIMES): () => Promise<void> {
  const ending = new AbortController()
  const tending = tend(services, times, ending.signal)
  return () => {
    ending.abort()
    return tending
  }
}

async function tend(services: Tended, times: CollectingTimes, signal: AbortSignal): Promise<void> {
  const { log } = services
  for (let waitMs = times.firstMs; ; waitMs = times.lookMs) {
    await wait(waitMs, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    try {
      const { count, bytes } = await collect(services, times, signal)
      if (count > 0) log.tell(STORE_EVENTS.filesCollected, { count, bytes })
    } catch (error) {
      if (!signal.aborted) log.tell(STORE_EVENTS.filesNotCollected, {}, error)
    }
  }
}

/** Only the process that moves the mark on has its turn, and only for as long as the mark is its own. */
async function collect(services: Tended, times: CollectingTimes, signal: AbortSignal): Promise<CollectedFiles> {
  const { store, records } = services
  const now = records.clock()
  const mark = await store.readMark(FILES_MARK)
  const [, last = '0'] = (mark ?? '').split(' ')
  const own = `${newId(records.random)} ${now}`
  if (now - Number(last) < times.againMs || !(await store.moveMark(FILES_MARK, mark, own)))
    return { count: 0, bytes: 0 }
  return collectFiles(records, {
    graceMs: times.graceMs,
    signal,
    mayRemove: async () => (await store.readMark(FILES_MARK)) === own,
    pause: () => wait(times.pauseMs, undefined, { signal, ref: false }),
  })
}

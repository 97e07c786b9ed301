import { setTimeout as sleep } from 'node:timers/promises'
import type { DataSet } from '../corpus/data-set.ts'
import { residentMegabytes, startCpuClock } from '../load/process-figures.ts'
import { startServer } from '../load/server-process.ts'
import { API, quarryOver } from '../servers/quarry.ts'
import { askOnce, firstList } from './ask-once.ts'
import { onACopy } from './on-a-copy.ts'

/** What a server that has just been started lets wait for, and does by itself. */
export interface StartFigures {
  readonly startMs: number
  /** The first list of all, asked as soon as it listens. */
  readonly firstListMs: number
  /** From then on, without being asked anything else. */
  readonly aloneSeconds: number
  readonly aloneCpuSeconds: number
  readonly residentMegabytes: { readonly afterStart: number; readonly afterAlone: number; readonly peak: number }
}

/** Starts a server as it is installed, asks for one list, and leaves it alone. */
export function measureStart(
  { dataDirectory: filled, credentials }: DataSet,
  aloneSeconds: number,
  serveArguments: readonly string[],
): Promise<StartFigures> {
  return onACopy(filled, async ({ dataDirectory }) => {
    const { command } = quarryOver({ dataDirectory, credentials, caches: true, symmetry: true, serveArguments })
    const server = await startServer(command)
    try {
      const afterStart = residentMegabytes(server.pid).now
      const cpu = startCpuClock(server.pids)
      const firstListMs = await askOnce(server.port, firstList(API, { ...credentials }))
      await sleep(aloneSeconds * 1000)
      const { now: afterAlone, peak } = residentMegabytes(server.pid)
      return {
        startMs: server.startMs,
        firstListMs,
        aloneSeconds,
        aloneCpuSeconds: cpu() / 1e6,
        residentMegabytes: { afterStart, afterAlone, peak },
      }
    } finally {
      await server.stop()
    }
  })
}

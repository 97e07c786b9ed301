import { encodeRequest, runLoad } from '../load/loader.ts'
import { residentMegabytes, startCpuClock } from '../load/process-figures.ts'
import { startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { median } from '../load/statistics.ts'
import { NEW_RARE } from '../never-asked.ts'
import type { Contestant } from '../servers/contestant.ts'
import type { ListWorkload } from '../workloads.ts'

/** What lists take whose documents are in no memory of the server. */
export interface ColdFigures {
  readonly lists: number
  readonly cpuMs: number
  readonly medianMs: number
  readonly residentMegabytes: number
}

/** Lists that bring the columns in, and no document of the others. */
const BEFORE = 20

/** Asks a server that has just been started lists of documents that it has not read yet. */
export async function measureCold(quarry: Contestant): Promise<ColdFigures> {
  const server = await startServer(quarry.command)
  const { port, pid, pids } = server
  const ask = (lists: readonly ListWorkload[]) => {
    const requests = lists.map(quarry.list).map(encodeRequest)
    return runLoad({ port, requests, connections: 1, count: requests.length })
  }
  try {
    await ask(NEW_RARE.warming.slice(0, BEFORE))
    await settle(pids)
    const cpu = startCpuClock(pids)
    const { answered, latenciesMs } = await ask(NEW_RARE.timed)
    return {
      lists: answered,
      cpuMs: cpu() / 1000 / answered,
      medianMs: median(latenciesMs),
      residentMegabytes: residentMegabytes(pid).now,
    }
  } finally {
    await server.stop()
  }
}

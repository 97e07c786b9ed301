import type { DataSet } from '../corpus/data-set.ts'
import { encodeRequest, runLoad } from '../load/loader.ts'
import { startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { quarryOver } from '../servers/quarry.ts'
import type { ListWorkload } from '../workloads.ts'
import { WARM_UP } from './measure-server.ts'

/** Lists a second from one process, and from two over the same data. */
export interface WorkerFigures {
  readonly one: number
  readonly two: number
}

/** Enough for two processes that never wait for the loader. */
const CONNECTIONS = 8

/** Asks lists in turn of a server of one worker, and of one of two. */
export async function measureWorkers(dataSet: DataSet, lists: readonly ListWorkload[]): Promise<WorkerFigures> {
  const rateOf = async (workers: number): Promise<number> => {
    const serveArguments = ['--workers', String(workers)]
    const quarry = quarryOver({ ...dataSet, caches: false, symmetry: false, serveArguments })
    const requests = lists.map(quarry.list).map(encodeRequest)
    const { port, pids, stop } = await startServer(quarry.command)
    try {
      const ask = (count: number) => runLoad({ port, requests, connections: CONNECTIONS, count })
      await ask(workers * WARM_UP)
      await settle(pids)
      const { answered, seconds } = await ask(workers * WARM_UP)
      return answered / seconds
    } finally {
      await stop()
    }
  }
  return { one: await rateOf(1), two: await rateOf(2) }
}

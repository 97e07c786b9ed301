import type { ManyHomes } from '../corpus/data-set.ts'
import { encodeRequest } from '../load/loader.ts'
import { residentMegabytes } from '../load/process-figures.ts'
import { startServer } from '../load/server-process.ts'
import { median, percentile } from '../load/statistics.ts'
import { API, quarryOver } from '../servers/quarry.ts'
import { askBeside, askOnce, firstList } from './ask-once.ts'
import { onACopy } from './on-a-copy.ts'

/** What a server of many accounts lets each of them wait for, and what it needs. */
export interface AccountFigures {
  readonly accounts: number
  readonly firstListMs: { readonly median: number; readonly worst: number }
  /** Of somebody who reads records by id meanwhile. */
  readonly readsBeside: { readonly p99Ms: number; readonly worstMs: number }
  readonly residentMegabytes: { readonly afterLists: number; readonly peak: number }
}

/** Asks for the first list of one account after the other, while the account that has most of the records reads them by id. */
export function measureAccounts(homes: ManyHomes, serveArguments: readonly string[]): Promise<AccountFigures> {
  const { credentials, others, ids } = homes
  return onACopy(homes.dataDirectory, async ({ dataDirectory }) => {
    const quarry = quarryOver({ dataDirectory, credentials, caches: true, symmetry: true, serveArguments })
    const server = await startServer(quarry.command)
    const { port, pid } = server
    try {
      const requests = ids.map((id) => encodeRequest(quarry.read(id)))
      const { result: times, beside } = await askBeside({ port, requests, connections: 1 }, async () => {
        const times: number[] = []
        for (const account of [credentials, ...others]) times.push(await askOnce(port, firstList(API, { ...account })))
        return times
      })
      const { now: afterLists, peak } = residentMegabytes(pid)
      return {
        accounts: times.length,
        firstListMs: { median: median(times), worst: percentile(times, 1) },
        readsBeside: { p99Ms: percentile(beside.latenciesMs, 0.99), worstMs: percentile(beside.latenciesMs, 1) },
        residentMegabytes: { afterLists, peak },
      }
    } finally {
      await server.stop()
    }
  })
}

import { encodeRequest, runLoad } from '../load/loader.ts'
import { startServer } from '../load/server-process.ts'
import { percentile } from '../load/statistics.ts'
import type { Contestant } from '../servers/contestant.ts'
import type { QueryRow } from '../workloads.ts'
import type { RightAnswers } from './measure-server.ts'

/** The first question after a start, and what the reads of others take until it is answered. */
export interface FirstUse {
  readonly id: string
  readonly served: QueryRow['served']
  readonly firstMs: number
}

/** First uses of the rows, each on a server of its own, and all reads beside them. */
export interface FirstUseFigures {
  readonly rows: readonly FirstUse[]
  readonly readsBeside: number
  readonly p99Ms: number
  readonly worstMs: number
}

const READS_WARM_UP_MS = 1000
const MORE_THAN_A_ROW_LASTS = 10_000_000

/** Asks each row once of a server that has only read records by id so far, while it goes on reading them on another connection. */
export async function measureFirstUse(
  quarry: Contestant,
  rows: readonly QueryRow[],
  right: RightAnswers,
): Promise<FirstUseFigures> {
  const reads = right.records.map(({ _id }) => encodeRequest(quarry.read(_id)))
  const measured: FirstUse[] = []
  const beside: number[] = []
  for (const row of rows) {
    const request = quarry.list(row)
    if (request === null) throw new Error(`Quarry cannot be asked ${row.id}`)
    const server = await startServer(quarry.command)
    try {
      const read = (until: AbortSignal) =>
        runLoad({ port: server.port, requests: reads, connections: 1, count: MORE_THAN_A_ROW_LASTS, until })
      await read(AbortSignal.timeout(READS_WARM_UP_MS))
      const answered = new AbortController()
      const reading = read(answered.signal)
      const first = await runLoad({ port: server.port, requests: [encodeRequest(request)], connections: 1, count: 1 })
      answered.abort()
      for (const latency of (await reading).latenciesMs) beside.push(latency)
      measured.push({ id: row.id, served: row.served, firstMs: first.latenciesMs[0] ?? Number.NaN })
    } finally {
      await server.stop()
    }
  }
  return { rows: measured, readsBeside: beside.length, p99Ms: percentile(beside, 0.99), worstMs: percentile(beside, 1) }
}

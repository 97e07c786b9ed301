import { encodeRequest, runLoad } from '../load/loader.ts'
import { residentMegabytes, startCpuClock } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { median, percentile } from '../load/statistics.ts'
import type { QueryRow } from '../query-table.ts'
import type { Contestant } from '../servers/contestant.ts'
import { askBeside } from './ask-once.ts'
import { findFault } from './check-answers.ts'
import type { RightAnswers } from './measure-server.ts'
import { type Measurement, measurementOf, type Refusal } from './measurement.ts'

/** A row of the query table with what was measured. */
export interface MeasuredRow {
  readonly row: QueryRow
  readonly matches: number
  readonly measurement: Measurement
  /** The first answer of a server that has just been started. */
  readonly firstMs: number
}

/** The query table, and what a scan does to those who ask for something else meanwhile. */
export interface QueryFigures {
  readonly rows: readonly MeasuredRow[]
  readonly refusals: readonly Refusal[]
  readonly besideScan: { readonly medianMs: number; readonly p99Ms: number } | null
  /** Resident memory of the server when all rows have been asked. */
  readonly residentMegabytes: number
  readonly startMs: number
}

/** How often a row is asked before it is measured, so that the columns that it needs are there, and its code is compiled. */
const WARM_UP_OF_A_ROW = { index: 300, deep: 300, scan: 30 } as const
const REPEATS = 30

/** Asks each row of the table over one connection, one request at a time. */
export async function measureQueries(
  quarry: Contestant,
  rows: readonly QueryRow[],
  right: RightAnswers,
): Promise<QueryFigures> {
  const server = await startServer(quarry.command)
  try {
    const measured: MeasuredRow[] = []
    const refusals: Refusal[] = []
    for (const row of rows) {
      const expected = right.lists.get(row.id)
      const started = performance.now()
      const fault = await findFault(quarry, server.port, row, expected?.documents ?? [])
      const firstMs = performance.now() - started
      if (fault !== null) refusals.push({ contestant: quarry.name, workload: row.id, fault })
      else measured.push({ row, matches: expected?.matches ?? 0, firstMs, measurement: await ask(server, quarry, row) })
    }
    const residentNow = residentMegabytes(server.pid).now
    const scan = measured.find(({ row }) => row.served === 'scan')?.row
    const besideScan = scan === undefined ? null : await readBesideScans(server, quarry, scan, right)
    return { rows: measured, refusals, besideScan, residentMegabytes: residentNow, startMs: server.startMs }
  } finally {
    await server.stop()
  }
}

async function ask({ pids, port }: RunningServer, quarry: Contestant, row: QueryRow): Promise<Measurement> {
  const requests = [encodeRequest(quarry.list(row))]
  await runLoad({ port, requests, connections: 1, count: WARM_UP_OF_A_ROW[row.served] })
  await settle(pids)
  await runLoad({ port, requests, connections: 1, count: 3 })
  const cpu = startCpuClock(pids)
  const result = await runLoad({ port, requests, connections: 1, count: REPEATS })
  return measurementOf({ contestant: quarry.name, workload: row.id }, result, cpu())
}

/** Reads records by id on one connection for as long as another one keeps scanning. */
async function readBesideScans({ port }: RunningServer, quarry: Contestant, scan: QueryRow, right: RightAnswers) {
  const requests = right.records.map(({ _id }) => encodeRequest(quarry.read(_id)))
  const { beside } = await askBeside({ port, requests, connections: 1 }, () =>
    runLoad({ port, requests: [encodeRequest(quarry.list(scan))], connections: 1, count: REPEATS }),
  )
  const { latenciesMs } = beside
  return { medianMs: median(latenciesMs), p99Ms: percentile(latenciesMs, 0.99) }
}

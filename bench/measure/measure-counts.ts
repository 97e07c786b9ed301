import { encodeRequest, runLoad, type WireRequest } from '../load/loader.ts'
import { startServer } from '../load/server-process.ts'
import { median, percentile } from '../load/statistics.ts'
import type { QueryRow } from '../query-table.ts'
import type { Contestant } from '../servers/contestant.ts'
import { API, type Credentials } from '../servers/quarry.ts'
import { fetchData } from './check-answers.ts'
import type { RightAnswers } from './measure-server.ts'
import type { Refusal } from './measurement.ts'

/** What it takes to count the records of a row. */
export interface RowCount {
  readonly id: string
  readonly served: QueryRow['served']
  readonly matches: number
  readonly medianMs: number
  readonly p99Ms: number
}

export interface CountFigures {
  readonly rows: readonly RowCount[]
  readonly refusals: readonly Refusal[]
}

const WARM_UP = 20
const REPEATS = 30

/** Counts the records of each row, one request at a time, and holds every number to the right one first. */
export async function measureCounts(
  quarry: Contestant,
  credentials: Credentials,
  rows: readonly QueryRow[],
  right: RightAnswers,
): Promise<CountFigures> {
  const server = await startServer(quarry.command)
  const { port } = server
  try {
    const measured: RowCount[] = []
    const refusals: Refusal[] = []
    for (const { id, query, served } of rows) {
      const body = JSON.stringify({ query })
      const request: WireRequest = {
        method: 'POST',
        target: `${API}/materials/count`,
        headers: { ...credentials },
        body,
      }
      const { count } = (await fetchData(port, request)) as { readonly count?: number }
      const matches = right.lists.get(id)?.matches ?? Number.NaN
      if (count !== matches) {
        refusals.push({ contestant: quarry.name, workload: `count of ${id}`, fault: `${count} instead of ${matches}` })
        continue
      }
      const ask = (times: number) => runLoad({ port, requests: [encodeRequest(request)], connections: 1, count: times })
      await ask(WARM_UP)
      const { latenciesMs } = await ask(REPEATS)
      measured.push({ id, served, matches, medianMs: median(latenciesMs), p99Ms: percentile(latenciesMs, 0.99) })
    }
    return { rows: measured, refusals }
  } finally {
    await server.stop()
  }
}

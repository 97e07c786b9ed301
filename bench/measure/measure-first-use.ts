import { encodeRequest, runLoad } from '../load/loader.ts'
import { startServer } from '../load/server-process.ts'
import { percentile } from '../load/statistics.ts'
import { FIELD_QUESTIONS } from '../query-table.ts'
import type { Contestant } from '../servers/contestant.ts'
import { API, type Credentials } from '../servers/quarry.ts'
import { LIMIT } from '../workloads.ts'
import { askBeside, askOnce, firstList } from './ask-once.ts'
import { type RightAnswers, WARM_UP } from './measure-server.ts'

/** The first question about a field. */
export interface FirstUse {
  readonly id: string
  readonly firstMs: number
}

/** First uses of fields of one server, and all reads beside them. */
export interface FirstUseFigures {
  readonly rows: readonly FirstUse[]
  readonly readsBeside: number
  readonly p99Ms: number
  readonly worstMs: number
}

/** Asks once about each field, one after the other, of a server that has answered one list, while somebody else reads records by id. */
export async function measureFirstUse(
  quarry: Contestant,
  credentials: Credentials,
  right: RightAnswers,
): Promise<FirstUseFigures> {
  const requests = right.records.map(({ _id }) => encodeRequest(quarry.read(_id)))
  const server = await startServer(quarry.command)
  const { port } = server
  try {
    await askOnce(port, firstList(API, { ...credentials }))
    await runLoad({ port, requests, connections: 1, count: WARM_UP })
    const { result: rows, beside } = await askBeside({ port, requests, connections: 1 }, async () => {
      const measured: FirstUse[] = []
      for (const { field, query } of FIELD_QUESTIONS) {
        const question = { query, projection: { sort: {}, limit: LIMIT } }
        measured.push({ id: field, firstMs: await askOnce(port, quarry.list(question)) })
      }
      return measured
    })
    const { latenciesMs } = beside
    return {
      rows,
      readsBeside: latenciesMs.length,
      p99Ms: percentile(latenciesMs, 0.99),
      worstMs: percentile(latenciesMs, 1),
    }
  } finally {
    await server.stop()
  }
}

import { startServer } from '../load/server-process.ts'
import { median } from '../load/statistics.ts'
import type { Contestant } from '../servers/contestant.ts'
import { API, type Credentials } from '../servers/quarry.ts'
import { fetchPage } from './fetch-page.ts'

/** What pages cost near the beginning and near the end of a walk by cursor over all that the requester sees. */
export interface WalkFigures {
  readonly sort: string
  readonly pages: number
  readonly firstTenthMs: number
  readonly lastTenthMs: number
}

const PAGE = 500

/** Walks everything in natural order, then by name. */
export async function measureWalks(quarry: Contestant, credentials: Credentials): Promise<readonly WalkFigures[]> {
  const server = await startServer(quarry.command)
  try {
    return [await walk(server.port, credentials, {}), await walk(server.port, credentials, { name: 1 })]
  } finally {
    await server.stop()
  }
}

async function walk(port: number, credentials: Credentials, sort: Record<string, 1>): Promise<WalkFigures> {
  const times: number[] = []
  let after: string | null = null
  do {
    const started = performance.now()
    after = (await fetchPage(port, targetOf(sort, after), { ...credentials })).next
    times.push(performance.now() - started)
  } while (after !== null)
  const tenth = Math.max(1, Math.floor(times.length / 10))
  return {
    sort: Object.keys(sort).join(', ') || 'natural order',
    pages: times.length,
    firstTenthMs: median(times.slice(0, tenth)),
    lastTenthMs: median(times.slice(-tenth)),
  }
}

function targetOf(sort: Record<string, 1>, after: string | null): string {
  const projection = { sort, limit: PAGE, fields: { name: 1 }, ...(after === null ? {} : { after }) }
  return `${API}/materials?projection=${encodeURIComponent(JSON.stringify(projection))}`
}

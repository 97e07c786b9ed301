import { encodeRequest, runLoad, type WireRequest } from '../load/loader.ts'
import { startServer } from '../load/server-process.ts'
import { median } from '../load/statistics.ts'
import type { Contestant } from '../servers/contestant.ts'
import { API, type Credentials } from '../servers/quarry.ts'
import { fetchData } from './check-answers.ts'
import type { Refusal } from './measurement.ts'

/** What the page asks beside a list of materials. */
const FACETS = [
  { path: 'lattice.type', limit: 12 },
  { path: 'nElements', limit: 12 },
  { path: 'tags', limit: 12 },
  { path: 'elements', limit: 118 },
  { path: 'volume', bins: 24, scale: 'log' },
  { path: 'density', bins: 24 },
  { path: 'nSites', bins: 24, scale: 'log' },
]

/** Of which records they are asked. */
const QUERIES = [
  { id: 'all', query: {} },
  { id: 'FCC', query: { 'lattice.type': 'FCC' } },
]

/** What facets take beside the list that they are of. */
export interface FacetRow {
  readonly id: string
  readonly records: number
  readonly listMs: number
  readonly facetsMs: number
}

export interface FacetFigures {
  readonly rows: readonly FacetRow[]
  readonly refusals: readonly Refusal[]
}

const WARM_UP = 5
const REPEATS = 20

/** Asks for facets and for the list that they stand beside, one request at a time, once the facets agree with the count of the records. */
export async function measureFacets(quarry: Contestant, credentials: Credentials): Promise<FacetFigures> {
  const server = await startServer(quarry.command)
  const { port } = server
  const post = (path: string, body: object): WireRequest => {
    return {
      method: 'POST',
      target: `${API}/materials/${path}`,
      headers: { ...credentials },
      body: JSON.stringify(body),
    }
  }
  const ask = async (request: WireRequest) => (await fetchData(port, request)) as never
  async function time(request: WireRequest): Promise<number> {
    const load = (count: number) => runLoad({ port, requests: [encodeRequest(request)], connections: 1, count })
    await load(WARM_UP)
    return median((await load(REPEATS)).latenciesMs)
  }
  try {
    const rows: FacetRow[] = []
    const refusals: Refusal[] = []
    for (const { id, query } of QUERIES) {
      const facets = post('facets', { query, facets: FACETS, budgetMs: 10_000 })
      const { count }: { count: number } = await ask(post('count', { query }))
      const found: { records: number; exact: boolean } = await ask(facets)
      if (found.records !== count || !found.exact) {
        const fault = `of ${found.records} records instead of ${count}`
        refusals.push({ contestant: quarry.name, workload: `facets of ${id}`, fault })
        continue
      }
      const listMs = await time(post('search', { query, projection: { limit: 50 } }))
      rows.push({ id, records: count, listMs, facetsMs: await time(facets) })
    }
    return { rows, refusals }
  } finally {
    await server.stop()
  }
}

import { encodeRequest, runLoad, type WireRequest } from '../load/loader.ts'

/** The list that the page shows first. */
const FIRST_LIST = '/materials?limit=20'

/** The request for the first list of somebody. */
export function firstList(api: string, credentials: { readonly [name: string]: string }): WireRequest {
  return { target: `${api}${FIRST_LIST}`, headers: credentials }
}

/** Asks one thing once; gives the milliseconds that it took. */
export async function askOnce(port: number, request: WireRequest): Promise<number> {
  const { latenciesMs } = await runLoad({ port, requests: [encodeRequest(request)], connections: 1, count: 1 })
  return latenciesMs[0] ?? Number.NaN
}

const MORE_THAN_ANYTHING_LASTS = 100_000_000

/** Repeats requests on other connections for as long as something lasts. */
export async function askBeside<Result>(
  load: { readonly port: number; readonly requests: readonly Buffer[]; readonly connections: number },
  work: () => Promise<Result>,
) {
  const ends = new AbortController()
  const beside = runLoad({ ...load, count: MORE_THAN_ANYTHING_LASTS, until: ends.signal })
  const result = await work().finally(() => ends.abort())
  return { result, beside: await beside }
}

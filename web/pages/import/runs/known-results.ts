import { ask, type Sent } from '../../../api/client.ts'
import type { RunRow } from './run-row.ts'

/** Results that the list shows. */
const SHOWN = ['total_energy', 'band_gaps']
/** Jobs that are asked for together. */
export const MOST_JOBS = 100

interface KnownProperty {
  readonly data: { readonly name: string }
  readonly summary?: Readonly<Record<string, unknown>>
  readonly exabyteId?: readonly string[]
  readonly source: { readonly info: { readonly jobId: string } }
}

/** What is known of calculations that are there already: their results, and the material that they are of. */
export type KnownResults = ReadonlyMap<string, Pick<RunRow, 'properties' | 'materials'>>

/** Asks which of some jobs are there. */
export async function jobsThere(
  jobIds: readonly string[],
  headers: Record<string, string>,
): Promise<readonly string[]> {
  const search = {
    query: JSON.stringify({ _id: { $in: jobIds.slice(0, MOST_JOBS) } }),
    projection: JSON.stringify({ fields: { _id: 1 } }),
    limit: String(MOST_JOBS),
  }
  const { data } = await ask<readonly { readonly _id: string }[]>('GET', '/jobs', { search, headers })
  return data.map(({ _id }) => _id)
}

/** Asks what is known of calculations that are there already, by their jobs. */
export async function knownResults(
  jobIds: readonly string[],
  { headers, signal }: Pick<Sent, 'headers' | 'signal'>,
): Promise<KnownResults> {
  if (jobIds.length === 0) return new Map()
  const search = {
    query: JSON.stringify({
      'source.info.jobId': { $in: jobIds.slice(0, MOST_JOBS) },
      'data.name': { $in: SHOWN },
    }),
    projection: JSON.stringify({ fields: { 'data.name': 1, summary: 1, exabyteId: 1, 'source.info.jobId': 1 } }),
    limit: String(MOST_JOBS * SHOWN.length),
  }
  const terms = { ...(headers === undefined ? {} : { headers }), ...(signal === undefined ? {} : { signal }) }
  const { data } = await ask<readonly KnownProperty[]>('GET', '/properties', { search, ...terms })
  const known = new Map<string, Pick<RunRow, 'properties' | 'materials'>>()
  for (const { data: named, summary = {}, exabyteId = [], source } of data) {
    const { jobId } = source.info
    known.set(jobId, {
      properties: [...(known.get(jobId)?.properties ?? []), { ...summary, name: named.name }],
      materials: exabyteId.slice(0, 1).map((_id) => ({ _id, name: '', isNew: false })),
    })
  }
  return known
}

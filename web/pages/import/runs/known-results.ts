import { ask } from '../../../api/client.ts'
import type { RunRow } from './run-row.ts'
import type { AskingTerms } from './sent-portion.ts'

/** Results that the list shows. */
const SHOWN = ['total_energy', 'band_gaps']
/** Jobs that are asked for together. */
const MOST_JOBS = 100

interface KnownProperty {
  readonly data: { readonly name: string }
  readonly summary?: Readonly<Record<string, unknown>>
  readonly exabyteId?: readonly string[]
  readonly source: { readonly info: { readonly jobId: string } }
}

/** What is known of calculations that are there already: their results, and the material that they are of. */
export type KnownResults = ReadonlyMap<string, Pick<RunRow, 'properties' | 'materials'>>

/** Asks what is known of calculations that are there already, by their jobs. */
export async function knownResults(
  rows: readonly RunRow[],
  { headers, signal }: Pick<AskingTerms, 'headers' | 'signal'>,
): Promise<KnownResults> {
  const jobIds = rows.flatMap(({ state, jobId }) => (state === 'there' && jobId !== undefined ? [jobId] : []))
  if (jobIds.length === 0) return new Map()
  const search = {
    query: JSON.stringify({
      'source.info.jobId': { $in: jobIds.slice(0, MOST_JOBS) },
      'data.name': { $in: SHOWN },
    }),
    projection: JSON.stringify({ fields: { 'data.name': 1, summary: 1, exabyteId: 1, 'source.info.jobId': 1 } }),
    limit: String(MOST_JOBS * SHOWN.length),
  }
  const { data } = await ask<readonly KnownProperty[]>('GET', '/properties', { search, headers, signal })
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

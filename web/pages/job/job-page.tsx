import type { PageAddress } from '../../../src/page/addresses.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { JsonTree } from '../../parts/json-tree.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'

type Job = Readonly<Record<string, unknown>>

/** One job. */
export function JobPage({ address }: { readonly address: PageAddress }) {
  const { id = '' } = address.at
  const { data, error } = useAnswer<Job>(`/jobs/${encodeURIComponent(id)}`)
  return (
    <div class="material">
      <h1>{error === undefined ? String(data?.['name'] ?? 'Job') : 'There is no such job for you'}</h1>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton />}
      {data !== null && <JsonTree label="JSON of this job" value={data} />}
    </div>
  )
}

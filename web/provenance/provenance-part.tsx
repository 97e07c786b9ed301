import { useMemo, useState } from 'preact/hooks'
import { fetchPlain } from '../api/client.ts'
import { reading, useAnswer } from '../api/use-answer.ts'
import { announce } from '../app/announce.ts'
import { writes } from '../app/undo.ts'
import { Empty } from '../parts/empty.tsx'
import { RefusalBox } from '../parts/refusal-box.tsx'
import { saveBlob } from '../parts/save-blob.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import type { ProvenanceOfRecord } from './provenance.ts'
import { ProvenanceGraph } from './provenance-graph.tsx'
import { ProvenanceList } from './provenance-list.tsx'
import { reducedLinks } from './reduced-links.ts'

interface ProvenanceProps {
  readonly collection: string
  readonly id: string
}

/** What a record was made from and what was made of it: drawn, as a list, and as a file. */
export function ProvenancePart({ collection, id }: ProvenanceProps) {
  const path = `/${collection}/${encodeURIComponent(id)}/provenance`
  const { data, error } = useAnswer<ProvenanceOfRecord>(reading(path), writes.value)
  const [fault, setFault] = useState<unknown>(null)
  const links = useMemo(() => reducedLinks(data?.links ?? []), [data])

  async function save(): Promise<void> {
    try {
      const response = await fetchPlain('GET', path, { search: { format: 'prov' } })
      saveBlob(await response.blob(), `${id}.prov.json`)
      announce(`${id}.prov.json is saved`)
      setFault(null)
    } catch (refusal) {
      setFault(refusal)
    }
  }

  return (
    <>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton lines={3} />}
      {data !== null && data.links.length === 0 && (
        <Empty>It names nothing that it was made from, and nothing names it.</Empty>
      )}
      {data !== null && data.links.length > 0 && (
        <>
          <ProvenanceGraph provenance={data} links={links} />
          {data.isCut && <p class="fine">There is more: {data.nodes.length} records of it are told of.</p>}
          <details>
            <summary>As a list</summary>
            <ProvenanceList provenance={data} links={links} />
          </details>
          <p>
            <button type="button" onClick={() => void save()}>
              Save as PROV-JSON
            </button>
          </p>
        </>
      )}
      {fault !== null && <RefusalBox error={fault} />}
    </>
  )
}

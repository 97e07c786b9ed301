import { useEffect } from 'preact/hooks'
import { type PageAddress, pagePath } from '../../../src/page/addresses.ts'
import { groupWords } from '../../../src/page/property-words.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { backTo, Link } from '../../app/router.tsx'
import { Instant } from '../../parts/instant.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { DiagramLink } from '../../properties/diagram-link.tsx'
import { PropertyData, viewOf } from '../../properties/property-data.tsx'
import {
  type PropertyRecord,
  precisionOf,
  remarkText,
  shownRecords,
  summaryText,
} from '../../properties/shown-properties.ts'
import { ProvenancePart } from '../../provenance/provenance-part.tsx'
import { MaterialLinks } from '../job/material-links.tsx'
import '../../properties/properties.css'
import '../material/material.css'

/** One record of a property: its value, how it was found, and its data. */
export function PropertyPage({ address }: { readonly address: PageAddress }) {
  const { id = '' } = address.at
  const { data, error } = useAnswer<PropertyRecord>(`/properties/${encodeURIComponent(id)}`)
  return (
    <div class="material">
      <p class="back">
        <Link to="/properties" onFollow={backTo('/properties')}>
          ← Properties
        </Link>
      </p>
      {error !== undefined && (
        <>
          <h1>There is no such property for you</h1>
          <RefusalBox error={error} />
        </>
      )}
      {error === undefined && data === null && <Skeleton />}
      {data !== null && <Present record={data} />}
    </div>
  )
}

function Present({ record }: { readonly record: PropertyRecord }) {
  const property = shownRecords([record])[0]
  const title = property?.title ?? record.data.name
  useEffect(() => {
    document.title = `${title} · Quarry`
  }, [title])
  if (property === undefined) return null
  const [entry] = property.entries
  const materials = [record.exabyteId ?? []].flat()
  const elements = record.source?.info?.elements ?? []
  const { kpoints, cutoff } = precisionOf(record.precision)
  const facts = [
    ['Value', [summaryText(entry), remarkText(entry)].filter((part) => part !== null).join('; ')],
    ['Method', entry.group === '' ? '' : groupWords(entry.group)],
    ['k-points', kpoints],
    ['Cutoff', cutoff === '' ? '' : `${cutoff} eV`],
  ].filter(([, value]) => value !== '')
  return (
    <>
      <h1>{title}</h1>
      <dl class="fact-rows">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {materials.length > 0 && (
          <div>
            <dt>{materials.length === 1 ? 'Material' : 'Materials'}</dt>
            <dd>
              <MaterialLinks ids={materials} />
            </dd>
          </div>
        )}
        {elements.length > 0 && (
          <div>
            <dt>Elements</dt>
            <dd>
              {elements.join('–')} <DiagramLink name={property.name} elements={elements} group={entry.group} />
            </dd>
          </div>
        )}
        {entry.jobId !== null && (
          <div>
            <dt>Job</dt>
            <dd>
              <Link to={pagePath('job', { id: entry.jobId })}>{entry.jobId}</Link>
            </dd>
          </div>
        )}
        {record.createdAt !== undefined && (
          <div>
            <dt>Created</dt>
            <dd>
              <Instant at={record.createdAt} />
            </dd>
          </div>
        )}
      </dl>
      {viewOf(property) !== null && (
        <>
          <h2>Data</h2>
          <div class="property-card open">
            <PropertyData property={property} materialId={materials[0] ?? null} />
          </div>
        </>
      )}
      <h2>Provenance</h2>
      <ProvenancePart collection="properties" id={record._id} />
      <h2>JSON</h2>
      <JsonTree label="JSON of this property" value={record} />
    </>
  )
}

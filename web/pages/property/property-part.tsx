import { recordPath } from '../../../src/page/addresses.ts'
import { groupWords } from '../../../src/page/property-words.ts'
import { Link } from '../../app/router.tsx'
import { DiagramLink } from '../../properties/diagram-link.tsx'
import { PropertyData, viewOf } from '../../properties/property-data.tsx'
import {
  type PropertyRecord,
  precisionOf,
  remarkText,
  shownRecords,
  summaryText,
} from '../../properties/shown-properties.ts'
import { MaterialLinks } from '../job/material-links.tsx'
import { titleOf } from './title-of-property.ts'
import '../../properties/properties.css'

/** Its value, how it was found, and its data. */
function PropertyFacts({ record: given }: { readonly record: Readonly<Record<string, unknown>> }) {
  const record = given as unknown as PropertyRecord
  const property = shownRecords([record])[0]
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
    ['Read from', record.source?.info?.file ?? ''],
  ].filter(([, value]) => value !== '')
  return (
    <>
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
              <Link to={recordPath('jobs', entry.jobId)}>{entry.jobId}</Link>
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
    </>
  )
}

/** What the page of a property shows in its own way. */
export const PROPERTY_PART = {
  view: PropertyFacts,
  told: new Set('data exabyteId source group precision summary caveat'.split(' ')),
  titleOf,
}

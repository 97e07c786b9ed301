import { useState } from 'preact/hooks'
import { groupWords } from '../../src/page/property-words.ts'
import { reading, useAnswer } from '../api/use-answer.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { late } from '../parts/late.tsx'
import { RefusalBox } from '../parts/refusal-box.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { DataTable } from './data-table.tsx'
import type { PropertyRecord, ShownProperty } from './shown-properties.ts'

const PropertyPlot = late(async () => (await import('./curves/property-plot.tsx')).PropertyPlot)

/** How the data of a property are shown. */
export type ViewOfData = 'plot' | 'table' | 'json'

/** How the data behind a value are shown; null where the value says all. */
export function viewOf({ form, entries: [{ propertyId, summary }] }: ShownProperty): ViewOfData | null {
  if (propertyId === null || form === 'scalar') return null
  if (form === null) return 'value' in summary ? null : 'json'
  return form === 'curves' || form === 'steps' || form === 'spectrum' ? 'plot' : 'table'
}

interface DataProps {
  readonly property: ShownProperty
  readonly materialId: string | null
}

/** The data of a property, which come when they are asked for; of several methods one is chosen. */
export function PropertyData({ property, materialId }: DataProps) {
  const { title, name, entries } = property
  const [at, setAt] = useState(0)
  const { propertyId } = entries[at] ?? entries[0]
  const { data, error } = useAnswer<PropertyRecord>(reading(`/properties/${encodeURIComponent(propertyId ?? '')}`))
  const view = viewOf(property)
  return (
    <>
      {entries.length > 1 && (
        <fieldset class="choice">
          <legend>Method</legend>
          {entries.map(({ group }, index) => (
            <label key={group}>
              <input type="radio" name={`group-${name}`} checked={index === at} onChange={() => setAt(index)} />{' '}
              {group === '' ? 'of no group' : groupWords(group)}
            </label>
          ))}
        </fieldset>
      )}
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton lines={4} />}
      {data !== null && view === 'table' && <DataTable title={title} form={property.form} data={data.data} />}
      {data !== null && view === 'plot' && (
        <PropertyPlot key={data._id} record={data} title={title} materialId={materialId} />
      )}
      {data !== null && view === 'json' && <JsonTree label={`Data of ${title}`} value={data.data} />}
    </>
  )
}

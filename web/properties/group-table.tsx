import { groupWords } from '../../src/page/property-words.ts'
import { reading, useAnswer } from '../api/use-answer.ts'
import { RefusalBox } from '../parts/refusal-box.tsx'
import { Wide } from '../parts/wide.tsx'
import { EntryLinks } from './entry-links.tsx'
import { type PropertyRecord, precisionOf, type ShownProperty, summaryText } from './shown-properties.ts'

/** The values of all methods below each other, with how exact each is. */
export function GroupTable({ property: { title, entries } }: { readonly property: ShownProperty }) {
  const ids = entries.flatMap(({ propertyId }) => propertyId ?? [])
  const { data, error } = useAnswer<readonly PropertyRecord[]>(
    reading('/properties', {
      query: JSON.stringify({ _id: { $in: ids } }),
      projection: JSON.stringify({ fields: { precision: 1 } }),
      limit: String(ids.length),
    }),
  )
  const precisions = new Map(data?.map(({ _id, precision }) => [_id, precisionOf(precision)]))
  return (
    <>
      {error !== undefined && <RefusalBox error={error} />}
      <Wide label={`${title} by method`}>
        <table class="numbers" aria-busy={data === null && error === undefined}>
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Value</th>
              <th scope="col">k-points</th>
              <th scope="col">Cutoff / eV</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.propertyId ?? entry.group}>
                <th scope="row">{entry.group === '' ? 'of no group' : groupWords(entry.group)}</th>
                <td>{summaryText(entry)}</td>
                <td>{precisions.get(entry.propertyId ?? '')?.kpoints}</td>
                <td>{precisions.get(entry.propertyId ?? '')?.cutoff}</td>
                <td class="property-links">
                  <EntryLinks entry={entry} title={title} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  )
}

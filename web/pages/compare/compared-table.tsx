import { useState } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import { Wide } from '../../parts/wide.tsx'
import { PrintedSymbol } from '../materials/cell-value.tsx'
import { type ComparedRow, comparedParts } from './compared-rows.ts'

export interface ComparedMaterial extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly name: string
}

/** What is told of each material, in columns; where they differ, the row says so. */
export function ComparedTable({ materials }: { readonly materials: readonly ComparedMaterial[] }) {
  const [isShort, setShort] = useState(false)
  const parts = comparedParts(materials)
  const groups = materials.map((material) => groupNumber(material))
  return (
    <>
      <label>
        <input type="checkbox" checked={isShort} onChange={({ currentTarget }) => setShort(currentTarget.checked)} />{' '}
        Only what differs
      </label>
      <Wide label="Materials side by side">
        <table class="compared">
          <thead>
            <tr>
              <td />
              {materials.map(({ id, name }, at) => (
                <th key={id} scope="col">
                  {at + 1}. <Link to={`/materials/${encodeURIComponent(id)}`}>{name}</Link>
                </th>
              ))}
            </tr>
          </thead>
          {parts.map(({ title, rows }) => (
            <tbody key={title}>
              <tr>
                <th scope="rowgroup" colSpan={materials.length + 1} class="part">
                  {title}
                </th>
              </tr>
              {rows
                .filter(({ isSame }) => !(isShort && isSame))
                .map((row) => (
                  <Row key={row.title} row={row} groups={groups} />
                ))}
            </tbody>
          ))}
        </table>
      </Wide>
    </>
  )
}

function Row({ row, groups }: { readonly row: ComparedRow; readonly groups: readonly (number | null)[] }) {
  const { path, title, unit, values, notes, isSame } = row
  return (
    <tr class={isSame ? undefined : 'differs'}>
      <th scope="row">
        {title}
        {unit !== undefined && <span class="unit"> {unit}</span>}
        {!isSame && (
          <>
            {' '}
            <span class="differs-mark" title="They differ">
              ≠<span class="unseen"> differs</span>
            </span>
          </>
        )}
      </th>
      {values.map((value, at) => (
        <td key={at}>
          {value === null ? (
            <span class="fine">–</span>
          ) : (
            <PrintedSymbol path={path} text={value} number={groups[at] ?? null} />
          )}
          {notes?.[at] != null && <small>{notes[at]}</small>}
        </td>
      ))}
    </tr>
  )
}

function groupNumber(material: ComparedMaterial): number | null {
  const { number } = (material['spaceGroup'] ?? {}) as { readonly number?: number }
  return number ?? null
}

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { PropertyForm } from '../../src/page/property-names.ts'
import { unitText } from '../../src/page/property-words.ts'
import { Wide } from '../parts/wide.tsx'
import { quantityText } from './quantity.ts'
import { contributionsIn, gapsIn, matrixIn, sitesIn } from './tables-of-data.ts'

interface TableProps {
  readonly title: string
  readonly form: PropertyForm | null
  readonly data: Readonly<Record<string, unknown>>
}

/** The data of a property that are a table: a tensor, values of sites, gaps, parts of a sum. */
export function DataTable({ title, form, data }: TableProps) {
  const units = typeof data['units'] === 'string' ? data['units'] : ''
  if (form === 'tensor') return <Tensor title={title} units={units} rows={matrixIn(data)} />
  if (form === 'sites') return <Sites title={title} units={units} data={data} />
  if (form === 'gaps') return <Gaps data={data} />
  return (
    <Numbers label={title} head={['Part', headOf('Value', units)]}>
      {contributionsIn(data).map(([name, value]) => (
        <Row key={name} name={name} cells={[quantityText(value, units).replace(` ${unitText(units)}`, '')]} />
      ))}
    </Numbers>
  )
}

function headOf(title: string, units: string): string {
  return units === '' ? title : `${title} / ${unitText(units)}`
}

function Tensor({
  title,
  units,
  rows,
}: {
  readonly title: string
  readonly units: string
  readonly rows: readonly (readonly number[])[]
}) {
  const axes = rows.length === 3 ? ['x', 'y', 'z'] : rows.map((_, index) => String(index + 1))
  return (
    <Numbers label={title} head={[units === '' ? 'Row' : unitText(units), ...axes]}>
      {rows.map((row, index) => (
        <Row key={index} name={axes[index] ?? ''} cells={row.map((value) => quantityText(value))} />
      ))}
    </Numbers>
  )
}

const FEW = 50

function Sites({ title, units, data }: Pick<TableProps, 'title' | 'data'> & { readonly units: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const sites = sitesIn(data)
  const hasVectors = sites.some(({ value }) => value.length > 1)
  const head = hasVectors
    ? ['Site', ...['x', 'y', 'z'].map((axis) => headOf(axis, units)), headOf('Length', units)]
    : ['Site', headOf('Value', units)]
  const shown = showsAll ? sites : sites.slice(0, FEW)
  return (
    <>
      <Numbers label={title} head={head}>
        {shown.map(({ id, value }) => (
          <Row
            key={id}
            name={String(id + 1)}
            cells={(hasVectors ? [...value, Math.hypot(...value)] : value).map((one) => quantityText(one))}
          />
        ))}
      </Numbers>
      {shown.length < sites.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show all {sites.length} sites
        </button>
      )}
    </>
  )
}

function Gaps({ data }: Pick<TableProps, 'data'>) {
  const gaps = gapsIn(data)
  return (
    <Numbers label="Band gaps" head={['Gap', 'Value / eV', 'Valence band at', 'eV', 'Conduction band at', 'eV']}>
      {gaps.map(({ type, value, spin, valence, conduction }, index) => (
        <Row
          key={index}
          name={spin === null ? type : `${type}, spin ${spin > 0 ? 'up' : 'down'}`}
          cells={[value.toFixed(3), ...[valence, conduction].flatMap(({ point, energy }) => [point, energy])]}
        />
      ))}
    </Numbers>
  )
}

function Numbers({
  label,
  head,
  children,
}: {
  readonly label: string
  readonly head: readonly string[]
  readonly children: ComponentChildren
}) {
  return (
    <Wide label={label}>
      <table class="numbers right">
        <thead>
          <tr>
            {head.map((title, index) => (
              <th key={index} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Wide>
  )
}

function Row({ name, cells }: { readonly name: string; readonly cells: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td key={index}>{cell}</td>
      ))}
    </tr>
  )
}

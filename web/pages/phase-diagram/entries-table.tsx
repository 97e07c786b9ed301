import { useState } from 'preact/hooks'
import { pagePath, recordPath } from '../../../src/page/addresses.ts'
import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'
import { Wide } from '../../parts/wide.tsx'
import { quantityText } from '../../properties/quantity.ts'
import type { PhaseEntry } from './phase-diagram.ts'
import { stabilityText } from './phase-words.ts'
import { Products } from './products.tsx'

interface EntryColumn {
  readonly title: string
  readonly isNumber?: boolean
  /** A phone leaves it out. */
  readonly isMinor?: boolean
  readonly compare: (one: PhaseEntry, other: PhaseEntry) => number
}

const COLUMNS = {
  formula: { title: 'Formula', compare: (one, other) => one.formula.localeCompare(other.formula) },
  name: { title: 'Name', isMinor: true, compare: (one, other) => one.name.localeCompare(other.name) },
  formation: {
    title: 'Formation energy / (eV/atom)',
    isNumber: true,
    compare: (one, other) => one.formationEnergy - other.formationEnergy,
  },
  above: {
    title: 'Above the hull / (eV/atom)',
    isNumber: true,
    compare: (one, other) => one.energyAboveHull - other.energyAboveHull,
  },
} as const satisfies Readonly<Record<string, EntryColumn>>

type ColumnName = keyof typeof COLUMNS

const FEW = 100

/** Entries below each other, sorted by a click on the head of a column; a second one turns the order round. */
export function EntriesTable({ entries }: { readonly entries: readonly PhaseEntry[] }) {
  const [sort, setSort] = useState<{ readonly by: ColumnName; readonly isDown: boolean }>({
    by: 'above',
    isDown: false,
  })
  const [showsAll, setShowsAll] = useState(false)
  const { compare } = COLUMNS[sort.by]
  const sorted = entries.toSorted((one, other) => compare(one, other) * (sort.isDown ? -1 : 1))
  const shown = showsAll ? sorted : sorted.slice(0, FEW)
  const turn = (by: ColumnName) => setSort({ by, isDown: sort.by === by && !sort.isDown })
  return (
    <>
      <Wide label="Materials of the diagram">
        <table class="phase-entries">
          <thead>
            <tr>
              {(Object.keys(COLUMNS) as ColumnName[]).map((name) => (
                <Head key={name} name={name} sort={sort} onSort={turn} />
              ))}
              <th scope="col">Decomposes into, by atoms</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <EntryRow key={entry._id} entry={entry} />
            ))}
          </tbody>
        </table>
      </Wide>
      {shown.length < sorted.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show all {sorted.length.toLocaleString()} materials
        </button>
      )}
    </>
  )
}

interface HeadProps {
  readonly name: ColumnName
  readonly sort: { readonly by: ColumnName; readonly isDown: boolean }
  readonly onSort: (by: ColumnName) => void
}

function Head({ name, sort: { by, isDown }, onSort }: HeadProps) {
  const { title, isNumber = false, isMinor = false }: EntryColumn = COLUMNS[name]
  const isSorted = by === name
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : isMinor ? 'minor' : undefined}
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" onClick={() => onSort(name)}>
        {title}
        {isSorted && <span aria-hidden="true">{isDown ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  )
}

function EntryRow({ entry }: { readonly entry: PhaseEntry }) {
  const { _id, formula, name, formationEnergy, energyAboveHull, propertyId, jobId } = entry
  const isStable = energyAboveHull === 0
  return (
    <tr>
      <th scope="row">
        <Link to={pagePath('material', { id: _id })}>
          <Formula text={formula} />
        </Link>
      </th>
      <td class="minor">{name === formula ? '' : name}</td>
      <td class="number">{numberText(formationEnergy)}</td>
      <td class="number">{isStable ? <strong>stable</strong> : numberText(energyAboveHull)}</td>
      <td class="phase-products">
        <Products entry={entry} hasLinks />
        {!isStable && entry.isStable && <span class="fine"> {stabilityText(entry)}</span>}
      </td>
      <td>
        <Link to={recordPath('properties', propertyId)} aria-label={`Energy of ${name}`}>
          Energy
        </Link>
        {jobId !== null && (
          <>
            {' '}
            <Link to={recordPath('jobs', jobId)} aria-label={`Job of ${name}`}>
              Job
            </Link>
          </>
        )}
      </td>
    </tr>
  )
}

function numberText(energy: number): string {
  return quantityText(energy, 'eV/atom').replace(/ eV\/atom$/, '')
}

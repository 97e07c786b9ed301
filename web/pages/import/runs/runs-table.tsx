import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { pagePath, recordPath } from '../../../../src/page/addresses.ts'
import { propertyTitle } from '../../../../src/page/property-words.ts'
import { Link } from '../../../app/router.tsx'
import { Formula } from '../../../parts/formula.tsx'
import type { ImportBatch } from './import-batch.ts'
import type { RunRow } from './run-row.ts'
import { methodWords, placeWithin, programWords, STATE_WORDS, valueWords } from './run-words.ts'

const SHOWN_AT_FIRST = 50

interface RunsTableProps {
  readonly label: string
  /** The folder that all of them are in, which is not said again. */
  readonly root: string
  readonly rows: readonly RunRow[]
  /** Where it is said which of them are stored; null while nothing can be said. */
  readonly choice: Choice | null
}

type Choice = Pick<ImportBatch, 'unchosen' | 'choose'>

/** Calculations, a row for each: first those that cannot be read. */
export function RunsTable({ label, root, rows, choice }: RunsTableProps) {
  const [most, setMost] = useState(SHOWN_AT_FIRST)
  const hidden = rows.length - most
  const fresh = rows.filter(({ state }) => state === 'new').map(({ key }) => key)
  const inOrder = [...rows.filter(isRefused), ...rows.filter((row) => !isRefused(row))]
  return (
    <>
      <table class="runs" aria-label={label}>
        <thead>
          <tr>
            <th scope="col" class="tick">
              {choice === null || fresh.length === 0 ? (
                <span class="unseen">To be stored</span>
              ) : (
                <input
                  type="checkbox"
                  aria-label={`Choose all: ${label}`}
                  checked={fresh.every((key) => !choice.unchosen.value.has(key))}
                  onChange={({ currentTarget }) => choice.choose(fresh, currentTarget.checked)}
                />
              )}
            </th>
            <th scope="col">Calculation</th>
            <th scope="col">Formula</th>
            <th scope="col">Computed with</th>
            <th scope="col" class="number">
              Total energy
            </th>
            <th scope="col" class="number">
              Band gap
            </th>
            <th scope="col" class="number">
              Files
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {inOrder.slice(0, most).map((row) => (
            <Row key={row.key} row={row} root={root} choice={choice} />
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <p>
          <button type="button" onClick={() => setMost(most + 10 * SHOWN_AT_FIRST)}>
            Show {Math.min(hidden, 10 * SHOWN_AT_FIRST)} more of {rows.length}
          </button>
        </p>
      )}
    </>
  )
}

function isRefused({ state }: RunRow): boolean {
  return state === 'refused'
}

interface RowProps extends Pick<RunsTableProps, 'root' | 'choice'> {
  readonly row: RunRow
}

function Row({ row, root, choice }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const [folder, file] = placeWithin(root, row.path)
  const { state, error, sameAs, files = [] } = row
  return (
    <>
      <tr class={isOpen ? 'open' : undefined}>
        <td class="tick">
          {choice !== null && state === 'new' && (
            <input
              type="checkbox"
              aria-label={`Store ${row.path}`}
              checked={!choice.unchosen.value.has(row.key)}
              onChange={({ currentTarget }) => choice.choose([row.key], currentTarget.checked)}
            />
          )}
        </td>
        <th scope="row">
          {folder !== '' && <span class="run-line">{folder}</span>}
          <span class={folder === '' ? 'run-line' : 'fine run-line'}>{file}</span>
        </th>
        <Cell label="Formula" isEmpty={row.formulas === undefined}>
          <Formulas row={row} />
        </Cell>
        <Cell label="Computed with" isEmpty={row.code === undefined}>
          {methodWords(row) !== '' && <span class="run-line">{methodWords(row)}</span>}
          <span class="fine run-line">{programWords(row)}</span>
        </Cell>
        <Cell label="Total energy" isNumber>
          {valueWords(row, 'total_energy')}
        </Cell>
        <Cell label="Band gap" isNumber>
          {valueWords(row, 'band_gaps') || valueWords(row, 'band_gap')}
        </Cell>
        <Cell label="Files kept" isNumber>
          {files.length === 0 ? '' : String(files.length)}
        </Cell>
        <Cell label="State">
          <span class="run-state">
            <span class={`state ${STATE_CLASSES[state]}`}>{STATE_WORDS[state]}</span>
            {row.jobId !== undefined && (state === 'stored' || state === 'there') && (
              <Link to={recordPath('jobs', row.jobId)} aria-label={`Job of ${row.path}`}>
                Job
              </Link>
            )}
            {hasDetails(row) && (
              <button
                type="button"
                class="plain"
                aria-expanded={isOpen}
                aria-label={`Details of ${row.path}`}
                onClick={() => setOpen(!isOpen)}
              >
                Details
              </button>
            )}
          </span>
        </Cell>
      </tr>
      {(error !== undefined || sameAs !== undefined) && (
        <tr class="run-remark">
          <td colSpan={COLUMNS}>
            {error !== undefined && <span class="state failed">{error.message}</span>}
            {sameAs !== undefined && <span class="fine">The same as {sameAs}: it is stored once.</span>}
          </td>
        </tr>
      )}
      {isOpen && (
        <tr class="run-details">
          <td colSpan={COLUMNS}>
            <Details row={row} />
          </td>
        </tr>
      )}
    </>
  )
}

const COLUMNS = 8

interface CellProps {
  /** Said beside the value where there is no room for a table. */
  readonly label: string
  readonly isNumber?: boolean
  readonly isEmpty?: boolean
  readonly children: ComponentChildren
}

function Cell({ label, isNumber = false, children, isEmpty = children === '' }: CellProps) {
  return (
    <td class={`${isNumber ? 'number' : ''}${isEmpty ? ' nothing' : ''}`} data-label={label}>
      <div>{children}</div>
    </td>
  )
}

const STATE_CLASSES = { new: 'new', there: '', same: '', stored: 'done', refused: 'failed' } as const

function hasDetails({ files = [], leftOut = [], warnings = [] }: RunRow): boolean {
  return files.length + leftOut.length + warnings.length > 0
}

/** Before and after; once they are stored, links to them. Of one that was there before, the material at the end alone is known. */
function Formulas({ row: { formulas = [], materials = [], state } }: { readonly row: RunRow }) {
  const areStored = state === 'stored' || state === 'there'
  const unknown = formulas.length - materials.length
  return (
    <>
      {formulas.map((formula, index) => {
        const material = areStored ? materials[index - unknown] : undefined
        return (
          <Fragment key={index}>
            {index > 0 && (
              <span role="img" aria-label="becomes">
                {' '}
                →{' '}
              </span>
            )}
            {material === undefined ? (
              <Formula text={formula} />
            ) : (
              <Link to={pagePath('material', { id: material._id })}>
                <Formula text={formula} />
              </Link>
            )}
          </Fragment>
        )
      })}
    </>
  )
}

function Details({ row: { files = [], leftOut = [], warnings = [], properties = [] } }: { readonly row: RunRow }) {
  return (
    <dl class="run-facts">
      <Names title="Files that are kept with the job" names={files} />
      <Names title="Properties" names={properties.map(({ name }) => propertyTitle(name))} />
      <Names title="Warnings" names={warnings} />
      <Names title="Not read into a record; it is in the files" names={leftOut} />
    </dl>
  )
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <ul>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </dd>
    </div>
  )
}

import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { pagePath } from '../../../../src/page/addresses.ts'
import { Link } from '../../../app/router.tsx'
import { Formula } from '../../../parts/formula.tsx'
import type { RunRow } from './run-row.ts'
import { methodWords, placeOf, programWords, STATE_WORDS, valueWords } from './run-words.ts'

const SHOWN_AT_FIRST = 50

/** Calculations, a row for each. */
export function RunsTable({ label, rows }: { readonly label: string; readonly rows: readonly RunRow[] }) {
  const [most, setMost] = useState(SHOWN_AT_FIRST)
  const hidden = rows.length - most
  return (
    <>
      <table class="runs" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Calculation</th>
            <th scope="col">Formula</th>
            <th scope="col">Computed with</th>
            <th scope="col">Total energy</th>
            <th scope="col">Band gap</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row) => (
            <Row key={row.key} row={row} />
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

function Row({ row }: { readonly row: RunRow }) {
  const [isOpen, setOpen] = useState(false)
  const [folder, file] = placeOf(row)
  const { state, error, sameAs } = row
  return (
    <Fragment>
      <tr class={isOpen ? 'open' : undefined}>
        <th scope="row">
          <span class="run-place">{folder === '' ? file : folder}</span>
          {folder !== '' && <span class="fine run-place">{file}</span>}
        </th>
        <td data-label="Formula">
          <Formulas row={row} />
        </td>
        <td data-label="Computed with">
          {methodWords(row)}
          <span class="fine run-place">{programWords(row)}</span>
        </td>
        <td class="number" data-label="Total energy">
          {valueWords(row, 'total_energy')}
        </td>
        <td class="number" data-label="Band gap">
          {valueWords(row, 'band_gaps') || valueWords(row, 'band_gap')}
        </td>
        <td data-label="State">
          <span class={`state ${STATE_CLASSES[state]}`}>{STATE_WORDS[state]}</span>
          {row.jobId !== undefined && (state === 'stored' || state === 'there') && (
            <Link to={pagePath('job', { id: row.jobId })} aria-label={`Job of ${row.path}`}>
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
              {isOpen ? 'Less' : 'Details'}
            </button>
          )}
        </td>
      </tr>
      {(error !== undefined || sameAs !== undefined) && (
        <tr class="run-remark">
          <td colSpan={6}>
            {error !== undefined && <span class="state failed">{error.message}</span>}
            {sameAs !== undefined && <span class="fine">The same as {sameAs}: it is stored once.</span>}
          </td>
        </tr>
      )}
      {isOpen && (
        <tr class="run-details">
          <td colSpan={6}>
            <Details row={row} />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

const STATE_CLASSES = { new: 'new', there: '', same: '', stored: 'done', refused: 'failed' } as const

function hasDetails({ files = [], leftOut = [], warnings = [] }: RunRow): boolean {
  return files.length + leftOut.length + warnings.length > 0
}

/** Before and after; once they are stored, links to them. */
function Formulas({ row: { formulas = [], materials = [], state } }: { readonly row: RunRow }) {
  const areStored = state === 'stored' && materials.length === formulas.length
  return (
    <>
      {formulas.map((formula, index) => {
        const material = areStored ? materials[index] : undefined
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
  const others = warnings.filter((warning) => leftOut.length === 0 || !warning.startsWith('Left out: '))
  return (
    <dl class="run-facts">
      <Names title="Files that are kept with the job" names={files} />
      <Names title="Properties" names={properties.map(({ name }) => name)} />
      <Names title="Read and not kept, but in the files" names={leftOut} />
      <Names title="To be known" names={others} />
    </dl>
  )
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{names.join(', ')}</dd>
    </div>
  )
}

import { useState } from 'preact/hooks'
import { focusContent } from '../../app/focus.ts'
import { Link } from '../../app/router.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { CrystalPreview } from './crystal-preview.tsx'
import { type Analysis, dropItem, type Item, type Report, retry, type StoringTerms, store } from './import-items.ts'

interface ItemProps {
  readonly item: Item
  readonly terms: StoringTerms
}

/** One file: what it is, and what became of it. */
export function ImportItem({ item: { key, file, state }, terms }: ItemProps) {
  const analysis = 'analysis' in state ? state.analysis : null
  return (
    <li class="import-item" aria-busy={state.step === 'reading' || state.step === 'storing'}>
      <header>
        <h2>{file.name === 'pasted' ? (analysis?.formula ?? 'Pasted structure') : file.name}</h2>
        <span class={`state ${state.step}`}>{WORDS[state.step]}</span>
        {state.step === 'ready' && (
          <button type="button" onClick={() => store(key, terms)}>
            Store
          </button>
        )}
        {state.step === 'failed' && (
          <button type="button" onClick={() => retry(key, terms)}>
            Try again
          </button>
        )}
        <button type="button" class="plain" aria-label={`Take ${file.name} off the list`} onClick={() => drop(key)}>
          ✕
        </button>
      </header>
      {analysis !== null && <Facts analysis={analysis} />}
      {analysis !== null && <Crystal file={file} />}
      {state.step === 'failed' && <RefusalBox error={state.error} />}
      {state.step === 'done' && <Reports reports={state.reports} />}
    </li>
  )
}

function Crystal({ file }: { readonly file: File }) {
  const [isShown, setShown] = useState(false)
  return (
    <details class="import-crystal" onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>Crystal</summary>
      {isShown && <CrystalPreview file={file} />}
    </details>
  )
}

const WORDS = { reading: 'Reading…', ready: 'Not stored', storing: 'Storing…', done: 'Done', failed: 'Failed' } as const

/** The focus was on what goes: it stays on the page. */
function drop(key: number): void {
  dropItem(key)
  focusContent()
}

function Facts({ analysis }: { readonly analysis: Analysis }) {
  const { formula, lattice, density, volume, warnings = [] } = analysis
  const spaceGroup = analysis.symmetry?.spaceGroup ?? analysis.spaceGroup
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Formula', formula],
    ['Space group', spaceGroup && `${spaceGroup.symbol} (${spaceGroup.number})`],
    ['Lattice', lattice?.type],
    [
      'a, b, c',
      lattice &&
        [lattice.a, lattice.b, lattice.c]
          .map((length) => length.toFixed(3))
          .join(', ')
          .concat(' Å'),
    ],
    ['Atoms', atomsOf(analysis)],
    ['Volume', volume === undefined ? undefined : `${volume.toFixed(2)} Å³`],
    ['Density', density === undefined ? undefined : `${density.toFixed(3)} g/cm³`],
  ]
  return (
    <>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {warnings.map(({ message }) => (
        <p key={message} class="import-warning">
          {message}
        </p>
      ))}
    </>
  )
}

function atomsOf({ basis }: Analysis): string | undefined {
  const atoms = basis?.elements?.length
  return atoms === undefined ? undefined : String(atoms)
}

/** A line for each file; of the structures of a set those that are no members have one. */
function Reports({ reports }: { readonly reports: readonly Report[] }) {
  const shown = reports.filter(({ frame, outcome }) => frame === undefined || outcome !== 'stored')
  return (
    <ul class="import-reports">
      {shown.map((report) => (
        <li key={`${report.file}#${report.frame ?? ''}`}>
          {reports.length > 1 && `${report.file}${report.frame === undefined ? '' : ` #${report.frame}`}: `}
          <Outcome report={report} />
        </li>
      ))}
    </ul>
  )
}

function Outcome({ report: { outcome, _id, frames, error } }: { readonly report: Report }) {
  if (outcome === 'refused') return <span class="state failed">refused: {error?.message}</span>
  const id = encodeURIComponent(_id ?? '')
  return (
    <>
      {outcome === 'stored' ? 'Stored as ' : 'There already: '}
      {frames === undefined ? (
        <Link to={`/materials/${id}`}>{_id}</Link>
      ) : (
        <Link to={`/sets/${id}`}>a set of {frames} structures</Link>
      )}
    </>
  )
}

import { useState } from 'preact/hooks'
import { focusContent } from '../../app/focus.ts'
import { Link } from '../../app/router.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { CrystalPreview } from './crystal-preview.tsx'
import { type Analysis, dropItem, type Item, type OnDuplicate, type Report, retry, store } from './import-items.ts'

interface ItemProps {
  readonly item: Item
  readonly onDuplicate: OnDuplicate
  readonly tags: readonly string[]
}

/** One file: what it is, and what became of it. */
export function ImportItem({ item: { key, file, state }, onDuplicate, tags }: ItemProps) {
  const analysis = 'analysis' in state ? state.analysis : null
  return (
    <li class="import-item" aria-busy={state.step === 'reading' || state.step === 'storing'}>
      <header>
        <h2>{file.name === 'pasted' ? (analysis?.formula ?? 'Pasted structure') : file.name}</h2>
        <span class={`state ${state.step}`}>{WORDS[state.step]}</span>
        {state.step === 'ready' && (
          <button type="button" onClick={() => store(key, onDuplicate, tags)}>
            Store
          </button>
        )}
        {state.step === 'failed' && (
          <button type="button" onClick={() => retry(key, onDuplicate, tags)}>
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

function Reports({ reports }: { readonly reports: readonly Report[] }) {
  return (
    <ul class="import-reports">
      {reports.map(({ file, outcome, _id, error }) => (
        <li key={file}>
          {reports.length > 1 && `${file}: `}
          {outcome === 'refused' ? (
            <span class="state failed">refused: {error?.message}</span>
          ) : (
            <>
              {outcome === 'stored' ? 'Stored as ' : 'There already: '}
              <Link to={`/materials/${encodeURIComponent(_id ?? '')}`}>{_id}</Link>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

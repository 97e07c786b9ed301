import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../../app/announce.ts'
import { focusContent } from '../../../app/focus.ts'
import { Link } from '../../../app/router.tsx'
import { bytesText } from '../../../parts/bytes-text.ts'
import { Field } from '../../../parts/field.tsx'
import { RefusalBox } from '../../../parts/refusal-box.tsx'
import { toldInPlace } from '../../../parts/told-in-place.ts'
import { accountName } from '../target-account.ts'
import { type ImportBatch, LARGE_FILE } from './import-batch.ts'
import { dropBatch } from './import-batches.ts'
import { LeftAsideList } from './left-aside.tsx'
import { countStates, type RunRow } from './run-row.ts'
import { calculations, countWords } from './run-words.ts'
import { RunsTable } from './runs-table.tsx'

/** What was chosen together: how far it is, what is in it, and what is to become of it. */
export function BatchSection({ batch }: { readonly batch: ImportBatch }) {
  const step = batch.step.value
  const rows = batch.rows.value
  const words = countWords(countStates(rows))
  const head = useRef<HTMLHeadingElement>(null)
  useToldHere(batch)
  const isBusy = step === 'looking' || step === 'storing'
  useEffect(() => {
    if (step === 'ready' || step === 'done') announce(`${batch.title}: ${words}`)
    if (step === 'stopped') announce(`${batch.title}: broken off`)
    // The button that was pressed is gone with its step.
    if (document.activeElement === null || document.activeElement === document.body) head.current?.focus()
  }, [step])
  return (
    <section class="batch" aria-labelledby={`batch-${batch.key}`} aria-busy={isBusy}>
      <header>
        <h2 id={`batch-${batch.key}`} ref={head} tabIndex={-1}>
          {batch.title}
        </h2>
        <span class="fine">
          {batch.fileCount.toLocaleString('en')} {batch.fileCount === 1 ? 'file' : 'files'},{' '}
          {bytesText(batch.bytes.value)}, into the account {accountName(batch.accountId)}
        </span>
        {!isBusy && (
          <button
            type="button"
            class="plain"
            aria-label={`Take ${batch.title} off the list`}
            onClick={() => {
              dropBatch(batch)
              focusContent()
            }}
          >
            ✕
          </button>
        )}
      </header>
      {step === 'asking' && <AskFirstAbout batch={batch} />}
      {isBusy && <Progress batch={batch} isStoring={step === 'storing'} />}
      {(step === 'failed' || step === 'stopped') && <BrokenOff batch={batch} />}
      {(step === 'ready' || step === 'done' || (!isBusy && rows.length > 0)) && <p class="batch-counts">{words}</p>}
      {!isBusy && (!batch.isStoring || step === 'done') && <Storing batch={batch} rows={rows} />}
      {step === 'done' && <StoredLinks rows={rows} />}
      {rows.length > 0 && (
        <RunsTable
          label={`Calculations in ${batch.title}`}
          root={batch.title}
          rows={rows}
          choice={isBusy ? null : batch}
        />
      )}
      <LeftAsideList files={batch.leftAside.value} />
    </section>
  )
}

/** Keeps the bar from telling of an import that is told of here; once this is left it does, unless it has ended. */
function useToldHere({ importId }: ImportBatch): void {
  const id = importId.value
  useEffect(() => {
    if (id === null) return
    toldInPlace.value = new Set([...toldInPlace.value, id])
    return () => {
      if (importId.value !== id) return
      toldInPlace.value = new Set([...toldInPlace.value].filter((one) => one !== id))
    }
  }, [id])
}

function AskFirstAbout({ batch }: { readonly batch: ImportBatch }) {
  const large = batch.largeFiles
  const bytes = large.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <>
      <p>
        These files are large: {bytesText(batch.bytes.value)} in all. They are sent before it is shown what is in them.
      </p>
      <p class="batch-buttons">
        <button type="submit" onClick={() => void batch.look()}>
          Send all of it
        </button>
        {large.length > 0 && (
          <button type="button" onClick={() => void batch.look({ withoutLarge: true })}>
            Leave out {large.length === 1 ? 'the file' : `the ${large.length} files`} above {bytesText(LARGE_FILE)} (
            {bytesText(bytes)})
          </button>
        )}
      </p>
    </>
  )
}

function Progress({ batch, isStoring }: { readonly batch: ImportBatch; readonly isStoring: boolean }) {
  const [passed, total] = [batch.passed.value, batch.total.value]
  const [sent, bytes] = [batch.sent.value, batch.bytes.value]
  const where = farWords(batch)
  return (
    <div class="batch-progress">
      {/* Half of the way is sending, half reading. */}
      <progress
        max={2}
        value={isStoring ? (2 * passed) / Math.max(1, total) : sent / Math.max(1, bytes) + passed / Math.max(1, total)}
        aria-label={isStoring ? 'Calculations that are stored' : 'Files that are sent and looked at'}
      />
      <span>
        {isStoring
          ? `Storing: ${where}. It goes on when this page is closed.`
          : `Sent: ${bytesText(sent)} of ${bytesText(bytes)}. Looked at: ${where}.`}
      </span>
      <button type="button" onClick={() => batch.cancel()}>
        Cancel
      </button>
    </div>
  )
}

/** `12 of 30 folders`. */
function farWords({ passed, total, isStoring }: ImportBatch): string {
  const noun = isStoring ? 'calculations' : 'folders'
  return `${passed.value.toLocaleString('en')} of ${total.value.toLocaleString('en')} ${noun}`
}

function BrokenOff({ batch }: { readonly batch: ImportBatch }) {
  const isFailed = batch.step.value === 'failed'
  return (
    <>
      {isFailed && <RefusalBox error={batch.error.value} />}
      <p class="batch-buttons">
        <span>
          Broken off after {farWords(batch)}. What was sent need not be sent again, and nothing is stored twice.
        </span>
        <button type="submit" onClick={() => void batch.goOn()}>
          Go on
        </button>
      </p>
    </>
  )
}

function Storing({ batch, rows }: { readonly batch: ImportBatch; readonly rows: readonly RunRow[] }) {
  const [isPublic, setPublic] = useState(false)
  const fresh = rows.filter(({ state }) => state === 'new')
  if (fresh.length === 0) return null
  const count = fresh.filter(({ key }) => !batch.unchosen.value.has(key)).length
  return (
    <div class="row batch-terms">
      <Field label="Who sees them">
        <select
          value={isPublic ? 'all' : 'account'}
          onChange={({ currentTarget }) => setPublic(currentTarget.value === 'all')}
        >
          <option value="account">the account {accountName(batch.accountId)}</option>
          <option value="all">everybody</option>
        </select>
      </Field>
      <button type="submit" disabled={count === 0} onClick={() => void batch.store(isPublic)}>
        Store {calculations(count)}
      </button>
    </div>
  )
}

/** More ids would not fit into an address. */
const MOST_IDS = 60

/** Where to go from here. */
function StoredLinks({ rows }: { readonly rows: readonly RunRow[] }) {
  const found = rows.flatMap(({ state, materials = [] }) => (state === 'stored' ? materials.slice(-1) : []))
  const ids = [...new Set(found.map(({ _id }) => _id))]
  if (ids.length === 0) return null
  const query = encodeURIComponent(JSON.stringify({ _id: { $in: ids } }))
  return (
    <p>
      {ids.length > MOST_IDS ? (
        <Link to="/materials">Go to the materials</Link>
      ) : (
        <Link to={`/materials?query=${query}`}>
          {ids.length === 1 ? 'Show the material' : `Show the ${ids.length} materials`}
        </Link>
      )}
    </p>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import {
  type Change,
  type Meant,
  makeChange,
  numbered,
  type Outcome,
  type Sample,
  tellMade,
  tryChange,
} from './bulk.ts'
import { DEEDS, type Deed } from './deeds.tsx'
import { differenceWords } from './difference-words.ts'

interface BulkDialogProps {
  readonly collection: string
  readonly one: string
  readonly meant: Meant
  readonly deed: Deed
  readonly onClose: () => void
  /** It is done: what was chosen is chosen no more. */
  readonly onDone: () => void
}

/** Asks what is to be done to many records, shows what it would do, and does it. */
export function BulkDialog({ collection, one, meant, deed, onClose, onDone }: BulkDialogProps) {
  const { title, form: Form, done } = DEEDS[deed]
  const [change, setChange] = useState<Change | undefined>(Form === null ? DEEDS[deed].change : undefined)
  const [tried, setTried] = useState<Outcome | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const asked = JSON.stringify([meant, change])
  useEffect(() => {
    setTried(null)
    setError(null)
    if (change === undefined) return
    let isOver = false
    tryChange(collection, meant, change).then(
      (outcome) => isOver || setTried(outcome),
      (refusal) => isOver || setError(refusal),
    )
    return () => {
      isOver = true
    }
  }, [asked])

  async function apply(): Promise<void> {
    if (tried === null || change === undefined) return
    setBusy(true)
    try {
      tellMade(await makeChange(collection, meant, change, tried.matched), one, done)
      onDone()
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      {Form !== null && <Form collection={collection} onChange={setChange} />}
      {change === 'recompute' && (
        <p>
          What the server computes of each record, such as formula and space group, is computed anew. What people wrote
          stays. It makes no version, and is not undone.
        </p>
      )}
      {change !== undefined && tried === null && error === null && <p role="status">Looking at what it changes…</p>}
      {tried !== null && <Preview one={one} outcome={tried} will={willOf(change)} />}
      {error !== null && <RefusalBox error={error} />}
      <p class="dialog-foot">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="submit"
          class={deed === 'remove' ? 'danger' : undefined}
          disabled={isBusy || tried === null || tried.changed === 0}
          onClick={() => void apply()}
        >
          {tried === null ? title : `${title}: ${numbered(tried.changed ?? tried.matched, one)}`}
        </button>
      </p>
    </Dialog>
  )
}

function soAlready(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'is' : 'are'} so already.`
}

interface PreviewProps {
  readonly one: string
  readonly outcome: Outcome
  /** What becomes of those that change. */
  readonly will: string
}

function willOf(change: Change | undefined): string {
  if (change === null) return 'will be removed; they can be restored'
  return change === 'recompute' ? 'will be brought up to date' : 'will change'
}

function Preview({ one, outcome: { matched, changed: known, others, sample = [] }, will }: PreviewProps) {
  const changed = known ?? matched
  return (
    <div class="bulk-preview" role="status">
      <p>
        <strong>
          {numbered(changed, one)} {will}.
        </strong>{' '}
        {changed < matched && `${soAlready(matched - changed)} `}
        {known === null && 'They are many: it goes on in the background, also when this page is closed. '}
        {others > 0 && `${numbered(others, one)} of other accounts stay as they are.`}
      </p>
      {sample.length > 0 && (
        <ul>
          {sample.map((each) => (
            <li key={each._id}>
              <Difference sample={each} />
            </li>
          ))}
          {changed > sample.length && <li class="fine">and {(changed - sample.length).toLocaleString()} more</li>}
        </ul>
      )}
    </div>
  )
}

function Difference({ sample: { _id, name, changes = [] } }: { readonly sample: Sample }) {
  if (changes.length === 0) return <>{name ?? _id}</>
  return (
    <>
      {name ?? _id}:{' '}
      {changes.slice(0, 3).map((change) => {
        const { field, from, to } = differenceWords(change)
        return (
          <span key={change.path} class="difference">
            {field} {from !== null && <del>{from}</del>} {to !== null && <ins>{to}</ins>}
          </span>
        )
      })}
    </>
  )
}

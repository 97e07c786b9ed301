import { focusContent } from '../../app/focus.ts'
import type { Item } from './import-item.ts'
import { dropItems, readAs, tryAgain } from './import-items.ts'
import { type Failure, failuresOf, files, placeWords } from './item-words.ts'

/** Files of one reason that are named. */
const MOST_NAMED = 100

/** Files that cannot be stored, folded together by the reason. */
export function FailuresPart({ items }: { readonly items: readonly Item[] }) {
  const failures = failuresOf(items)
  const count = failures.reduce((sum, { items: some }) => sum + some.length, 0)
  return (
    <details class="failures">
      <summary>
        <span class="state failed">{files(count)} cannot be stored</span>
      </summary>
      <ul>
        {failures.map((failure) => (
          <li key={failure.items[0]?.key}>
            <FailurePart failure={failure} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function FailurePart({ failure: { reason, items, mayPass, formats } }: { readonly failure: Failure }) {
  const keys = items.map(({ key }) => key)
  const named = items.length === 1 ? items[0]?.file.name : files(items.length)
  return (
    <>
      <details>
        <summary>
          <strong>{named}</strong> {reason}
        </summary>
        <ul>
          {items.slice(0, MOST_NAMED).map(({ key, file, state }) => (
            <li key={key}>
              <code>{file.name}</code> <span class="fine">{placeWords(state.error.message)}</span>
            </li>
          ))}
          {items.length > MOST_NAMED && <li>and {(items.length - MOST_NAMED).toLocaleString('en')} more</li>}
        </ul>
      </details>
      <p class="failure-remedies">
        {formats.length > 0 && <FormatChoice name={String(named)} formats={formats} keys={keys} />}
        {mayPass && (
          <button type="button" onClick={() => tryAgain(keys)}>
            Try again
          </button>
        )}
        <button
          type="button"
          class="plain"
          aria-label={`Take ${named} off the list`}
          onClick={() => {
            dropItems(keys)
            focusContent()
          }}
        >
          ✕
        </button>
      </p>
    </>
  )
}

interface FormatChoiceProps {
  readonly name: string
  readonly formats: readonly string[]
  readonly keys: readonly number[]
}

/** Reads files anew as what somebody says that they are. */
function FormatChoice({ name, formats, keys }: FormatChoiceProps) {
  return (
    <label>
      Read as{' '}
      <select
        aria-label={`Format of ${name}`}
        value=""
        onChange={({ currentTarget }) => readAs(keys, { format: currentTarget.value })}
      >
        <option value="" disabled>
          choose a format
        </option>
        {formats.map((format) => (
          <option key={format}>{format}</option>
        ))}
      </select>
    </label>
  )
}

import { useCallback, useEffect, useState } from 'preact/hooks'
import { recordPath } from '../../src/page/addresses.ts'
import { reading, useAnswer } from '../api/use-answer.ts'
import type { FoundRecord } from '../app/found-records.ts'
import { Link } from '../app/router.tsx'
import { Formula } from '../parts/formula.tsx'
import { useFound } from '../parts/use-found.ts'

interface RecordPickerProps {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-required': boolean
  readonly 'aria-describedby': string
  /** Collection of the record that is named. */
  readonly collection: string
  /** Id of the record, as far as it is one. */
  readonly value: string
  readonly onChange: (id: string) => void
}

const FIELDS = { name: 1, formula: 1 }

/**
 * A record of another kind, found by words of the search line and shown by its name. What is typed is its id until one of those that are found is chosen, so
 * that an id can be pasted.
 */
export function RecordPicker({ collection, value, onChange, ...shared }: RecordPickerProps) {
  /** Null where nobody types: then the name of the record stands there. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, open] = useState(false)
  const [at, setAt] = useState(0)
  /** Whether Enter was pressed while records were looked for. */
  const [isEntered, enter] = useState(false)
  const find = useCallback(
    async (text: string, signal: AbortSignal) =>
      (await import('../app/found-records.ts')).recordsOf(collection, text, signal),
    [collection],
  )
  const { found, hasFailed } = useFound(isOpen ? find : undefined, typed ?? '')
  const shown = isOpen ? (found ?? []) : []
  const [chosen, setChosen] = useState<FoundRecord | null>(null)
  const known = chosen?._id === value ? chosen : null
  const record = useRecord(collection, typed === null && known === null ? value : '') ?? known
  const current = shown[at]
  const list = `${shared.id}-found`

  useEffect(() => {
    if (found === null || !isEntered) return
    enter(false)
    const [only, ...others] = found
    if (only !== undefined && others.length === 0) choose(only)
  }, [found, isEntered])

  function choose(one: FoundRecord): void {
    setChosen(one)
    onChange(one._id)
    close()
  }

  function close(): void {
    open(false)
    enter(false)
    setTyped(null)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && !isOpen) begin()
    else if (step !== undefined) setAt(Math.min(Math.max(at + step, 0), shown.length - 1))
    // What was typed is still being looked for: no form is sent with it.
    else if (event.key === 'Enter' && isOpen && found === null) enter(true)
    else if (event.key === 'Enter' && current !== undefined) choose(current)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  function begin(text: string | null = typed): void {
    setTyped(text)
    setAt(0)
    enter(false)
    open(true)
  }

  return (
    <div class="record-picker">
      <input
        {...shared}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : `${list}-${at}`}
        autocomplete="off"
        spellcheck={false}
        placeholder="Name, or id"
        value={typed ?? record?.name ?? value}
        onInput={({ currentTarget }) => {
          begin(currentTarget.value)
          onChange(currentTarget.value.trim())
        }}
        onClick={() => begin()}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {shown.length > 0 && (
        <div id={list} class="suggestions" role="listbox" aria-label="Records" tabIndex={-1}>
          {shown.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
            <div
              key={one._id}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(one)}
            >
              <span>{one.name ?? one._id}</span>
              {one.formula !== undefined && <Formula text={one.formula} />}
              <small>{one._id}</small>
            </div>
          ))}
        </div>
      )}
      <span class="unseen" role="status">
        {isOpen &&
          !hasFailed &&
          found !== null &&
          (shown.length === 0 ? 'Nothing is found.' : `${shown.length} found.`)}
      </span>
      {hasFailed && <small role="status">Records could not be looked for. Type on to try again.</small>}
      {record !== null && (
        <small>
          <Link to={recordPath(collection, record._id)}>{record.formula ?? record.name ?? record._id}</Link>
        </small>
      )}
    </div>
  )
}

/** A record by its id; null where it is not there to be seen. */
function useRecord(collection: string, id: string): FoundRecord | null {
  const search = { query: JSON.stringify({ _id: id }), projection: JSON.stringify({ fields: FIELDS, limit: 1 }) }
  const { data } = useAnswer<readonly FoundRecord[]>(reading(id === '' ? null : `/${collection}`, search))
  return data?.find(({ _id }) => _id === id) ?? null
}

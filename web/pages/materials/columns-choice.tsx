import { useState } from 'preact/hooks'
import { Skeleton } from '../../parts/skeleton.tsx'
import { type Collection, type Column, columnAt } from './collections.ts'
import { type ChosenField, fieldsCalled, groupFields } from './field-groups.ts'
import { type KnownField, useFields } from './use-fields.ts'

export interface ColumnsChoiceProps {
  readonly collection: Collection
  readonly columns: readonly Column[]
  /** Paths with commas between them; empty for those that go without saying. */
  readonly onChange: (columns: string) => void
}

/** As many as are looked through; others are found by more letters. */
const SHOWN_FIELDS = 60

/** Any field that records have, as a column: those that are shown first, then what people want, the rest in folds. */
export function ColumnsChoice({ collection, columns, onChange }: ColumnsChoiceProps) {
  const fields = useFields(collection)
  const [typed, setTyped] = useState('')
  // Those that were shown when it was opened: what is chosen stays where the focus is.
  const [first] = useState(() => columns.map(({ path }) => path).filter((path) => path !== 'name'))
  if (fields === null) return <Skeleton />
  const chosen = columns.map(({ path }) => path)
  const others = fields.filter((field) => isShown(field) && field.path !== 'name')
  function toggle(path: string): void {
    const next = chosen.includes(path) ? chosen.filter((one) => one !== path) : [...chosen, path]
    onChange(next.filter((one) => one !== 'name').join(',') || 'name')
  }
  const list = (some: readonly ChosenField[]) =>
    some.map((field) => (
      <Field
        key={field.path}
        field={field}
        isChosen={chosen.includes(field.path)}
        onToggle={() => toggle(field.path)}
      />
    ))
  return (
    <div class="columns-choice">
      <input
        type="search"
        aria-label="Find a field"
        placeholder="Find a field"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div class="columns-list">
        {typed.trim() !== '' && list(fieldsCalled(others, typed).slice(0, SHOWN_FIELDS))}
        {typed.trim() === '' && (
          <>
            <fieldset>
              <legend>Shown</legend>
              {list(first.map((path) => columnAt(collection, path)))}
            </fieldset>
            {groupFields(others.filter(({ path }) => !first.includes(path))).map(({ title, isFolded, fields: some }) =>
              isFolded ? (
                <details key={title}>
                  <summary>
                    {title} ({some.length})
                  </summary>
                  {list(some)}
                </details>
              ) : (
                <fieldset key={title}>
                  <legend>{title}</legend>
                  {list(some)}
                </fieldset>
              ),
            )}
          </>
        )}
      </div>
      <button type="button" onClick={() => onChange('')}>
        As usual
      </button>
    </div>
  )
}

interface FieldProps {
  readonly field: ChosenField
  readonly isChosen: boolean
  readonly onToggle: () => void
}

function Field({ field: { path, title, unit }, isChosen, onToggle }: FieldProps) {
  return (
    <label title={path}>
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span>
        {title}
        {unit !== undefined && <span class="unit"> {unit}</span>}
      </span>
    </label>
  )
}

function isShown({ types }: KnownField): boolean {
  return types.some((type) => type !== 'object')
}

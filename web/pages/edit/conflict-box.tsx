import { useEffect, useRef, useState } from 'preact/hooks'
import { formatJson } from '../../parts/json-text.ts'
import type { Conflict } from './merge.ts'

interface ConflictBoxProps {
  readonly conflicts: readonly Conflict[]
  readonly onChoose: (keepsMine: (field: string) => boolean) => void
}

/** Somebody else has saved the record meanwhile: shows both, field by field, and asks which is to be kept. */
export function ConflictBox({ conflicts, onChoose }: ConflictBoxProps) {
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set(conflicts.map(({ field }) => field)))
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  function keep(field: string, isMine: boolean): void {
    const next = new Set(mine)
    if (isMine) next.add(field)
    else next.delete(field)
    setMine(next)
  }
  return (
    <div class="conflict">
      <h2 ref={heading} tabIndex={-1}>
        Somebody else has changed this meanwhile
      </h2>
      {conflicts.length === 0 ? (
        <p>None of it is what you have changed: both can be kept.</p>
      ) : (
        <p>Which of the two is to be kept?</p>
      )}
      {conflicts.map(({ field, mine: own, theirs }) => (
        <fieldset key={field}>
          <legend>{field}</legend>
          <Side name={field} title="Yours" value={own} isKept={mine.has(field)} onKeep={() => keep(field, true)} />
          <Side
            name={field}
            title="Theirs"
            value={theirs}
            isKept={!mine.has(field)}
            onKeep={() => keep(field, false)}
          />
        </fieldset>
      ))}
      <button type="submit" onClick={() => onChoose((field) => mine.has(field))}>
        Save what is chosen
      </button>
    </div>
  )
}

interface SideProps {
  readonly name: string
  readonly title: string
  readonly value: unknown
  readonly isKept: boolean
  readonly onKeep: () => void
}

function Side({ name, title, value, isKept, onKeep }: SideProps) {
  return (
    <label class="side">
      <input type="radio" name={`keep-${name}`} checked={isKept} onChange={onKeep} />
      <span>
        <strong>{title}</strong>
        <code>{value === undefined ? 'taken away' : formatJson(value)}</code>
      </span>
    </label>
  )
}

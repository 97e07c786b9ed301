import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { focusContent } from '../../app/focus.ts'
import type { Meant } from './bulk.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { DEEDS, type Deed } from './deeds.tsx'
import './curate.css'

/** The records that are chosen in the list that is shown. */
export const chosen = signal<ReadonlySet<string>>(new Set())

export function choose(ids: readonly string[], isChosen: boolean): void {
  const next = new Set(chosen.value)
  for (const id of ids)
    if (isChosen) next.add(id)
    else next.delete(id)
  chosen.value = next
}

export function chooseNone(): void {
  chosen.value = new Set()
}

/** The box by which a record of a list is chosen. */
export function ChoiceBox({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <input
      type="checkbox"
      class="choice-box"
      aria-label={`Choose ${name}`}
      checked={chosen.value.has(id)}
      onChange={({ currentTarget }) => choose([id], currentTarget.checked)}
    />
  )
}

/** The box by which all records that are shown are chosen. */
export function ChoiceOfAll({ ids }: { readonly ids: readonly string[] }) {
  const count = ids.filter((id) => chosen.value.has(id)).length
  return (
    <input
      type="checkbox"
      class="choice-box"
      aria-label="Choose all that are shown"
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < ids.length
      }}
      checked={ids.length > 0 && count === ids.length}
      onChange={({ currentTarget }) => choose(ids, currentTarget.checked)}
    />
  )
}

interface BulkBarProps {
  readonly collection: string
  readonly one: string
  /** The filter of the list, as JSON. */
  readonly query: string
  /** How many match it in all. */
  readonly count: number
}

/** What can be done to those that are chosen, or to all that the query matches. */
export function BulkBar({ collection, one, query, count }: BulkBarProps) {
  const [isAll, setAll] = useState(false)
  const [deed, setDeed] = useState<Deed | null>(null)
  const size = chosen.value.size
  if (size === 0) return null
  const meant: Meant = isAll ? { query: query === '' ? {} : JSON.parse(query) } : { ids: [...chosen.value] }
  function close(): void {
    setDeed(null)
  }
  function clear(): void {
    setAll(false)
    chooseNone()
    focusContent()
  }
  return (
    <div class="bulk-bar" role="toolbar" aria-label={`Chosen ${one}s`}>
      <strong>{(isAll ? count : size).toLocaleString()} chosen</strong>
      {!isAll && count > size && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          Choose all {count.toLocaleString()}
        </button>
      )}
      {(Object.keys(DEEDS) as Deed[]).map((each) => (
        <button key={each} type="button" class={each === 'remove' ? 'danger' : undefined} onClick={() => setDeed(each)}>
          {DEEDS[each].title}
        </button>
      ))}
      <button type="button" class="plain" onClick={clear}>
        Choose none
      </button>
      {deed !== null && (
        <BulkDialog
          collection={collection}
          one={one}
          meant={meant}
          deed={deed}
          onClose={close}
          onDone={() => {
            close()
            clear()
          }}
        />
      )}
    </div>
  )
}

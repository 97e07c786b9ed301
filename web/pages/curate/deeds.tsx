import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { Field } from '../../parts/field.tsx'
import type { Change } from './bulk.ts'

/** What can be done to many records at once. */
export type Deed = 'tag' | 'move' | 'publish' | 'withdraw' | 'recompute' | 'remove'

interface FormProps {
  readonly collection: string
  /** Undefined: it is not said yet what is to be done. */
  readonly onChange: (change: Change | undefined) => void
}

interface DeedParts {
  readonly title: string
  /** Said afterwards, behind the number of records. */
  readonly done: string
  /** Asks what is needed; null where nothing is. */
  readonly form: ComponentType<FormProps> | null
  readonly change?: Change
}

export const DEEDS: Readonly<Record<Deed, DeedParts>> = {
  tag: { title: 'Tag', done: 'tagged', form: TagForm },
  move: { title: 'Move to set', done: 'moved', form: MoveForm },
  publish: { title: 'Publish', done: 'published', form: null, change: { isPublic: true } },
  withdraw: { title: 'Make private', done: 'made private', form: null, change: { isPublic: false } },
  recompute: { title: 'Compute again', done: 'brought up to date', form: null, change: 'recompute' },
  remove: { title: 'Delete', done: 'deleted', form: null, change: null },
}

function TagForm({ onChange }: FormProps) {
  const [add, setAdd] = useState('')
  const [take, setTake] = useState('')
  function tell(added: string, taken: string): void {
    const [toAdd, toTake] = [tagsIn(added), tagsIn(taken)]
    // A list is changed once by one update: what is taken away in another one.
    const change =
      toAdd.length > 0
        ? { $addToSet: { tags: { $each: toAdd } } }
        : toTake.length > 0
          ? { $pull: { tags: { $in: toTake } } }
          : undefined
    onChange(change)
  }
  return (
    <div class="row">
      <Field label="Add tags" hint="With commas between.">
        <input
          value={add}
          disabled={take !== ''}
          onInput={({ currentTarget: { value } }) => {
            setAdd(value)
            tell(value, take)
          }}
        />
      </Field>
      <Field label="Or take tags away">
        <input
          value={take}
          disabled={add !== ''}
          onInput={({ currentTarget: { value } }) => {
            setTake(value)
            tell(add, value)
          }}
        />
      </Field>
    </div>
  )
}

export function tagsIn(text: string): readonly string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}

interface SetEntry {
  readonly _id: string
  readonly name: string
}

function MoveForm({ collection, onChange }: FormProps) {
  const [sets, setSets] = useState<readonly SetEntry[] | null>(null)
  const [into, setInto] = useState('')
  const [outOf, setOutOf] = useState('')
  useEffect(() => {
    const query = '{"isEntitySet":true}'
    const projection = '{"fields":{"name":1},"limit":500,"sort":{"name":1}}'
    ask<readonly SetEntry[]>('GET', `/${collection}`, { search: { query, projection } }).then(
      ({ data }) => setSets(data),
      () => setSets([]),
    )
  }, [collection])
  function tell(to: string, from: string): void {
    const change =
      to !== ''
        ? { $addToSet: { inSet: { _id: to } }, ...(from === '' ? {} : { $pull: { inSet: { _id: from } } }) }
        : from !== ''
          ? { $pull: { inSet: { _id: from } } }
          : undefined
    onChange(change)
  }
  const options = (sets ?? []).map(({ _id, name }) => (
    <option key={_id} value={_id}>
      {name}
    </option>
  ))
  return (
    <div class="row">
      <Field label="Into the set" hint={sets?.length === 0 ? 'There is none yet: the page Sets makes one.' : undefined}>
        <select
          value={into}
          onChange={({ currentTarget: { value } }) => {
            setInto(value)
            tell(value, outOf)
          }}
        >
          <option value="">none</option>
          {options}
        </select>
      </Field>
      <Field label="Out of the set">
        <select
          value={outOf}
          onChange={({ currentTarget: { value } }) => {
            setOutOf(value)
            tell(into, value)
          }}
        >
          <option value="">none</option>
          {options}
        </select>
      </Field>
    </div>
  )
}

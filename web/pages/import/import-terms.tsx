import { useEffect, useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { type Item, mayHaveSeveral } from './import-item.ts'
import { type OnDuplicate, storeChosen } from './import-items.ts'
import { type SetEntry, setsOf } from './into-set.ts'
import type { ItemCounts } from './item-words.ts'
import { accountName, targetAccount } from './target-account.ts'

interface TermsProps {
  readonly items: readonly Item[]
  readonly counts: ItemCounts
}

/** Value of the choice of a set that is yet to be made. */
const NEW_SET = 'new'

/** How files are stored: what is said here is said of all. */
export function ImportTerms({ items, counts: { ready } }: TermsProps) {
  const [tagText, setTagText] = useState('')
  const [onDuplicate, setOnDuplicate] = useState<OnDuplicate>('return')
  const [isPublic, setPublic] = useState(false)
  const [allFrames, setAllFrames] = useState(false)
  const [setId, setSetId] = useState('')
  const [setName, setSetName] = useState('')
  const accountId = targetAccount()
  const sets = useSets(accountId)
  const set = setId === '' ? null : setId === NEW_SET ? { name: setName.trim() } : { id: setId }
  const isNameless = setId === NEW_SET && setName.trim() === ''
  const tags = tagText
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return (
    <form
      class="import-terms"
      onSubmit={(event) => {
        event.preventDefault()
        void storeChosen({ accountId, onDuplicate, tags, isPublic, allFrames, set })
      }}
    >
      <Field label="Tags" hint="For all, with commas between.">
        <input
          value={tagText}
          placeholder="imported"
          onInput={({ currentTarget }) => setTagText(currentTarget.value)}
        />
      </Field>
      <Field label="Into the set">
        <select value={setId} onChange={({ currentTarget }) => setSetId(currentTarget.value)}>
          <option value="">none</option>
          <option value={NEW_SET}>a new one…</option>
          {sets.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {setId === NEW_SET && (
        <Field label="Name of the set">
          <input required value={setName} onInput={({ currentTarget }) => setSetName(currentTarget.value)} />
        </Field>
      )}
      <Field label="Who sees them">
        <select
          value={isPublic ? 'all' : 'account'}
          onChange={({ currentTarget }) => setPublic(currentTarget.value === 'all')}
        >
          <option value="account">the account {accountName(accountId)}</option>
          <option value="all">everybody</option>
        </select>
      </Field>
      <Field label="A structure that is there already">
        <select
          value={onDuplicate}
          onChange={({ currentTarget }) => setOnDuplicate(currentTarget.value as OnDuplicate)}
        >
          <option value="return">is left as it is</option>
          <option value="create">is stored once more</option>
          <option value="fail">is refused</option>
        </select>
      </Field>
      {(allFrames || items.some(mayHaveSeveral)) && (
        <Field label="Of a file of several structures">
          <select
            value={allFrames ? 'all' : 'first'}
            onChange={({ currentTarget }) => setAllFrames(currentTarget.value === 'all')}
          >
            <option value="first">the first is stored</option>
            <option value="all">all are stored, as a set</option>
          </select>
        </Field>
      )}
      <button type="submit" disabled={ready === 0 || isNameless}>
        {ready > 1 ? `Store ${ready.toLocaleString('en')}` : 'Store'}
      </button>
    </form>
  )
}

/** The sets of an account; none while they are on the way, or where they do not come. */
function useSets(accountId: string): readonly SetEntry[] {
  const [sets, setSets] = useState<readonly SetEntry[]>([])
  useEffect(() => {
    const end = new AbortController()
    setSets([])
    setsOf(accountId, end.signal).then(setSets, () => {})
    return () => end.abort()
  }, [accountId])
  return sets
}

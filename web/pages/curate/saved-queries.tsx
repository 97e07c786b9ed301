import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Link } from '../../app/router.tsx'
import { chosenAccount } from '../../app/session.ts'
import { noteWrite, offerUndo, writes } from '../../app/undo.ts'
import { Field } from '../../parts/field.tsx'
import { Menu } from '../../parts/menu.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import './curate.css'

/** What a list asks. */
interface View {
  /** The filter as JSON; empty where there is none. */
  readonly query: string
  /** A path, with `-` before it for the other direction. */
  readonly sort: string
  /** Paths of the columns; none: those that lists of the kind begin with. */
  readonly columns: readonly string[]
}

interface SavedQuery extends Partial<View> {
  readonly _id: string
  readonly name: string
}

interface SavedQueriesProps {
  readonly collection: string
  readonly view: View
}

/** The queries that the account keeps, and a way to keep the one that is shown, with its columns and its order. */
export function SavedQueries(props: SavedQueriesProps) {
  return (
    <Menu label="Saved">
      <Panel {...props} />
    </Menu>
  )
}

function Panel({ collection, view }: SavedQueriesProps) {
  const [saved, setSaved] = useState<readonly SavedQuery[] | null>(null)
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const query = JSON.stringify({ kind: collection, isEntitySet: { $ne: true } })
    const projection = '{"limit":100,"sort":{"name":1},"fields":{"name":1,"query":1,"columns":1,"sort":1}}'
    ask<readonly SavedQuery[]>('GET', '/queries', { search: { query, projection } }).then(
      ({ data }) => setSaved(data),
      setError,
    )
  }, [collection, chosenAccount.value, writes.value])

  async function save(): Promise<void> {
    setError(null)
    const { query, sort, columns } = view
    const body = { name, kind: collection, query: query === '' ? '{}' : query, sort, columns }
    try {
      await ask('POST', '/queries', { body })
      setName('')
      noteWrite()
      announce(`${name} is saved.`)
    } catch (refusal) {
      setError(refusal)
    }
  }

  async function forget({ _id, name: gone }: SavedQuery): Promise<void> {
    const path = `/queries/${encodeURIComponent(_id)}`
    try {
      await ask('DELETE', path)
      offerUndo(`The query ${gone} deleted`, async () => {
        await ask('POST', `${path}/restore`)
        return `The query ${gone} is restored.`
      })
    } catch (refusal) {
      setError(refusal)
    }
  }

  return (
    <div class="saved-queries">
      {saved !== null && saved.length > 0 && (
        <ul>
          {saved.map((one) => (
            <li key={one._id}>
              <Link to={pathOf(collection, one)}>{one.name}</Link>
              <button type="button" class="plain" aria-label={`Delete ${one.name}`} onClick={() => void forget(one)}>
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field label="Save this query as">
          <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </Field>
        <button type="submit">Save</button>
      </form>
      {error !== null && <RefusalBox error={error} />}
    </div>
  )
}

function pathOf(collection: string, { query = '{}', sort = '', columns = [] }: SavedQuery): string {
  const given = { query: query === '{}' ? '' : query, sort, columns: columns.join(',') }
  const search = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
  return search.size === 0 ? `/${collection}` : `/${collection}?${search}`
}

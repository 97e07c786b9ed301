import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Link, navigate } from '../../app/router.tsx'
import { chosenAccount } from '../../app/session.ts'
import { noteWrite, writes } from '../../app/undo.ts'
import { Empty } from '../../parts/empty.tsx'
import { Field } from '../../parts/field.tsx'
import { Instant } from '../../parts/instant.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import './sets.css'

/** A set as lists have it. */
export interface SetRecord {
  readonly _id: string
  readonly name: string
  readonly entitySetType: 'ordered' | 'unordered'
  readonly createdAt: string
}

/** The sets of materials, which are their folders. */
export function SetsPage() {
  const [sets, setSets] = useState<readonly SetRecord[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const search = {
      query: '{"isEntitySet":true}',
      projection: '{"sort":{"name":1},"limit":500,"fields":{"name":1,"entitySetType":1,"createdAt":1}}',
    }
    ask<readonly SetRecord[]>('GET', '/materials', { search }).then(({ data }) => setSets(data), setError)
  }, [writes.value, chosenAccount.value])
  return (
    <section>
      <PageTitle help="sets">Sets</PageTitle>
      <NewSet />
      {error !== null && <RefusalBox error={error} />}
      {sets === null ? (
        error === null && <Skeleton />
      ) : sets.length === 0 ? (
        <Empty>There is no set yet. A set holds materials as a folder does; a material can be in several.</Empty>
      ) : (
        <ul class="sets">
          {sets.map(({ _id, name, entitySetType, createdAt }) => (
            <li key={_id}>
              <Link to={`/sets/${encodeURIComponent(_id)}`}>{name}</Link>
              <small>
                {entitySetType}, <Instant at={createdAt} />
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function NewSet() {
  const [name, setName] = useState('')
  const [isOrdered, setOrdered] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function create(): Promise<void> {
    setError(null)
    try {
      const body = { name, entitySetType: isOrdered ? 'ordered' : 'unordered' }
      const { data } = await ask<{ _id: string }>('PUT', '/materials/create-set', { body })
      noteWrite()
      announce(`The set ${name} is made.`)
      navigate(`/sets/${encodeURIComponent(data._id)}`)
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <form
      class="row new-set"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <Field label="New set">
        <input
          required
          value={name}
          placeholder="Band path"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={isOrdered}
          onChange={({ currentTarget }) => setOrdered(currentTarget.checked)}
        />
        keeps an order
      </label>
      <button type="submit">Make it</button>
      {error !== null && <RefusalBox error={error} />}
    </form>
  )
}

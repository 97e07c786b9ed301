import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Instant } from '../../parts/instant.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Wide } from '../../parts/wide.tsx'

export interface Token {
  readonly _id: string
  readonly name: string
  readonly kind: 'session' | 'api'
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly readOnly: boolean
  readonly isCurrent: boolean
}

interface TokensTableProps {
  readonly title: string
  readonly tokens: readonly Token[]
  readonly onChange: () => Promise<void>
}

/** Lists tokens, each with the button that deletes it. */
export function TokensTable({ title, tokens, onChange }: TokensTableProps) {
  return (
    <Wide label={`Table of ${title}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="minor">
              Created
            </th>
            <th scope="col" class="minor">
              Last used
            </th>
            <th scope="col">Expires</th>
            <th scope="col" class="minor">
              May
            </th>
            <th scope="col">
              <span class="unseen">Delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <Row key={token._id} token={token} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

interface RowProps {
  readonly token: Token
  readonly onChange: () => Promise<void>
}

function Row({ token, onChange }: RowProps) {
  const { name, kind, createdAt, lastUsedAt, expiresAt, readOnly, isCurrent } = token
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="minor">
        <Instant at={createdAt} />
      </td>
      <td class="minor">
        <Instant at={lastUsedAt} otherwise="never" />
      </td>
      <td>
        <Instant at={expiresAt} otherwise={kind === 'session' ? 'when unused' : 'never'} />
      </td>
      <td class="minor">{readOnly ? 'read' : 'read and write'}</td>
      <td class="actions">{isCurrent ? 'this browser' : <Deletion token={token} onChange={onChange} />}</td>
    </tr>
  )
}

/** The button, and after it the question whether that is meant. */
function Deletion({ token: { _id, name }, onChange }: RowProps) {
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const keep = useRef<HTMLButtonElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useEffect(() => {
    if (isAsking) keep.current?.focus()
    else if (wasAsking.current) first.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  async function remove(): Promise<void> {
    try {
      await ask('DELETE', `/tokens/${encodeURIComponent(_id)}`)
      announce(`Deleted ${name}`)
      // The button goes with its row.
      document.getElementById('main')?.focus()
      await onChange()
    } catch (refused) {
      setError(refused)
    }
  }

  if (error !== null) return <RefusalBox error={error} />
  if (!isAsking)
    return (
      <button type="button" ref={first} aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
        Delete
      </button>
    )
  return (
    <>
      It stops working at once.{' '}
      <button type="button" class="danger" onClick={() => void remove()}>
        Delete it
      </button>
      <button type="button" ref={keep} onClick={() => setAsking(false)}>
        Keep
      </button>
    </>
  )
}

import { useRef, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { me } from '../../app/session.ts'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Instant } from '../../parts/instant.tsx'
import { type CreatedToken, NewToken } from './new-token.tsx'
import { abilities, ago, left, type Token } from './token.ts'
import { TokenForm } from './token-form.tsx'

interface TokensSectionProps {
  readonly tokens: readonly Token[]
  readonly onChange: () => Promise<void>
}

/** API tokens: made, shown once, listed and deleted. */
export function TokensSection({ tokens, onChange }: TokensSectionProps) {
  const [fresh, setFresh] = useState<CreatedToken | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  function made(created: CreatedToken): void {
    setFresh(created)
    void onChange()
  }

  function done(): void {
    setFresh(null)
    heading.current?.focus()
  }

  async function remove({ _id, name }: Token): Promise<void> {
    await ask('DELETE', `/tokens/${encodeURIComponent(_id)}`)
    announce(`Deleted ${name}`)
    // The button goes with its row.
    heading.current?.focus()
    await onChange()
  }

  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens" ref={heading} tabIndex={-1}>
        API tokens
      </h2>
      <p>For scripts and notebooks: a token stands for you, without your password.</p>
      <TokenForm onMade={made} />
      {fresh !== null && <NewToken created={fresh} onDone={done} />}
      {tokens.length === 0 ? (
        <Empty>You have no API tokens.</Empty>
      ) : (
        <ul class="rows">
          {tokens.map((token) => (
            <li key={token._id}>
              <Words token={token} />
              <AskFirst
                label="Delete"
                name={`Delete ${token.name}`}
                question="It stops working at once."
                yes="Delete it"
                onYes={() => remove(token)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Words({ token }: { readonly token: Token }) {
  const { name, createdAt, lastUsedAt, expiresAt } = token
  const now = Date.now()
  return (
    <div>
      <strong>{name}</strong>
      <small>
        {abilities(token, me.value?.accounts ?? [])} · made <Instant at={createdAt} /> ·{' '}
        {lastUsedAt === null ? 'never used' : `used ${ago(lastUsedAt, now)}`} ·{' '}
        {expiresAt === null ? 'does not expire' : <span title={expiresAt}>{left(expiresAt, now)}</span>}
      </small>
    </div>
  )
}

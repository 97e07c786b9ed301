import { useRef } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Instant } from '../../parts/instant.tsx'
import { ago, type Token } from './token.ts'

interface SessionsSectionProps {
  readonly tokens: readonly Token[]
  readonly onChange: () => Promise<void>
}

/** Where the person is signed in. */
export function SessionsSection({ tokens, onChange }: SessionsSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // This one first, then by their last sign of life.
  const inOrder = [...tokens].sort(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || (lifeOf(a) < lifeOf(b) ? 1 : -1),
  )

  async function end({ _id, name }: Token): Promise<void> {
    await ask('DELETE', `/tokens/${encodeURIComponent(_id)}`)
    announce(`Ended ${name}`)
    heading.current?.focus()
    await onChange()
  }

  async function endOthers(): Promise<void> {
    const search = { kind: 'session', others: 'true' }
    const { data } = await ask<{ readonly ended: number }>('DELETE', '/tokens', { search })
    announce(`Ended ${data.ended} other sessions`)
    heading.current?.focus()
    await onChange()
  }

  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        Sessions
      </h2>
      <p>Browsers and programs that logged in with your password.</p>
      <ul class="rows">
        {inOrder.map((token) => (
          <li key={token._id}>
            <div>
              <strong>{token.name}</strong>
              {token.isCurrent && <span class="badge">this browser</span>}
              <small>
                since <Instant at={token.createdAt} /> · used {ago(lifeOf(token), Date.now())}
              </small>
            </div>
            {!token.isCurrent && (
              <AskFirst
                label="End"
                name={`End ${token.name}`}
                question="It has to log in again."
                yes="End it"
                onYes={() => end(token)}
              />
            )}
          </li>
        ))}
      </ul>
      {tokens.length > 1 && (
        <AskFirst
          label="End all other sessions"
          question="Every other browser and program has to log in again; API tokens stay."
          yes="End them"
          onYes={endOthers}
        />
      )}
    </section>
  )
}

function lifeOf({ lastUsedAt, createdAt }: Token): string {
  return lastUsedAt ?? createdAt
}

import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { API, send } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Link } from '../../app/router.tsx'
import { me } from '../../app/session.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { type Answered, readAnswer } from './answered.ts'
import type { Request } from './request.ts'

/** Sends the request with the session of the page, and shows what comes back. */
export function TryIt({ request }: { readonly request: Request }) {
  const { method, path, search, headers, body, isOpen, missing } = request
  const [answered, setAnswered] = useState<Answered | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const isSignedIn = me.value !== null && me.value !== undefined

  async function trySend(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      const sentAt = performance.now()
      const sent = { search, headers, ...(body === undefined ? {} : { body }) }
      const response = await send(method as 'GET', belowApi(path), sent)
      const read = await readAnswer(response, sentAt)
      setAnswered(read)
      announce(`Answered ${read.status} ${read.statusText}`)
    } catch (refused) {
      setAnswered(null)
      setError(refused)
    } finally {
      setBusy(false)
    }
  }

  if (!isOpen && !isSignedIn)
    return (
      <p class="fine">
        <Link to="/">Log in</Link> to send this from here.
      </p>
    )
  return (
    <div class="try">
      <button
        type="button"
        class={method === 'DELETE' ? 'danger' : 'first'}
        disabled={isBusy || missing.length > 0}
        onClick={() => void trySend()}
      >
        Send {method}
      </button>
      {missing.length > 0 && <span class="fine"> Type {missing.join(' and ')} first.</span>}
      {missing.length === 0 && method !== 'GET' && <span class="fine"> This is carried out.</span>}
      {error !== null && <RefusalBox error={error} />}
      {answered !== null && <AnsweredView answered={answered} />}
    </div>
  )
}

/** Some addresses lie beside those of the API; the client begins below them. */
function belowApi(path: string): string {
  return path.startsWith(`${API}/`) ? path.slice(API.length) : `/../..${path}`
}

function AnsweredView({
  answered: { status, statusText, milliseconds, headers, text, isCut },
}: {
  answered: Answered
}) {
  return (
    <>
      <p class="status">
        <strong class={status < 400 ? 'good' : 'bad'}>
          {status} {statusText}
        </strong>{' '}
        <span class="fine">{milliseconds.toFixed(0)} ms</span>
      </p>
      <details>
        <summary>{headers.length} headers</summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
      {text !== '' && (
        <pre tabIndex={0} role="region" aria-label={`Answer ${status}`}>
          {text}
        </pre>
      )}
      {isCut && <p class="fine">The answer is longer; this is its beginning.</p>}
    </>
  )
}

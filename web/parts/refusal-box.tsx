import { Refusal, type RefusalData, type Warning } from '../api/client.ts'
import { type Place, placeInJson, placeOfCharacter } from '../query/place-in-json.ts'

interface RefusalBoxProps {
  readonly error: unknown
  /** The text of the query that was sent: the place that the refusal is about is marked in it. */
  readonly query?: string
}

/** A refusal in the words of the server. */
export function RefusalBox({ error, query = '' }: RefusalBoxProps) {
  const { message, code, data } = asRefusal(error)
  const { hint, requestId } = data
  return (
    <div class="refusal" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {hint !== undefined && !message.includes(hint) && <p>{hint}</p>}
      <Marked text={query} place={placeOf(data, query)} />
      {code !== undefined && (
        <p class="fine">
          Error {code}, request {requestId ?? 'without id'}
        </p>
      )}
    </div>
  )
}

/** What the server says beside an answer. */
export function Warnings({ warnings, query = '' }: { readonly warnings: readonly Warning[]; readonly query?: string }) {
  return (
    <>
      {warnings.map(({ code, path, message }) => (
        <div key={`${code} ${path}`} class="refusal warning" role="status">
          <p>
            <strong>{message}</strong>
          </p>
          <Marked text={query} place={placeOf({ path }, query)} />
          <p class="fine">Warning {code}. What was asked for is below.</p>
        </div>
      ))}
    </>
  )
}

/** The place in a query that a refusal or a warning is about; null where there is none. */
export function placeOf({ path = '', line, column }: RefusalData, query: string): Place | null {
  if (query === '' || !/^query\b/.test(path)) return null
  return line === undefined || column === undefined
    ? placeInJson(query, path.slice('query'.length))
    : placeOfCharacter(query, line, column)
}

function Marked({ text, place }: { readonly text: string; readonly place: Place | null }) {
  if (place === null) return null
  const [start, end] = place
  const fault = text.slice(start, end)
  return (
    <pre class="place">
      {text.slice(0, start)}
      <mark>{fault === '' || fault === '\n' ? '⏎' : fault}</mark>
      {fault === '\n' ? '\n' : null}
      {text.slice(end)}
    </pre>
  )
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  console.error(error)
  const words = 'This page has a fault. Reload it; if it comes again, the browser console has the details.'
  return new Refusal(words, 0)
}

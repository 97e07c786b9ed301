import { useRef, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { type Condition, conditionsOf, type JsonObject } from '../../query/conditions.ts'
import type { Fault } from '../../query/relaxed-json.ts'
import { nameLike, readSearchLine, type SpelledParameter } from '../../query/search-line.ts'
import type { Collection } from './collections.ts'

interface SearchLineProps {
  readonly collection: Collection
  /** What was found in the line, to be asked beside what is asked already. */
  readonly onFind: (conditions: readonly Condition[]) => void
  /** A query, to be asked in its place. */
  readonly onQuery: (query: JsonObject) => void
}

/** One line for all that people look for. */
export function SearchLine({ collection, onFind, onQuery }: SearchLineProps) {
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<{ readonly text: string; readonly fault: Fault } | null>(null)

  async function find(): Promise<void> {
    const text = input.current?.value ?? ''
    const read = readSearchLine(text)
    if (read.kind === 'fault') return setFault({ text: text.trim(), fault: read.fault })
    setFault(null)
    if (read.kind === 'query') onQuery(read.query)
    else if (read.kind === 'condition') onFind([read.condition])
    else if (read.kind === 'spelling') onFind(await spelled(collection, read.text, read.parameters))
    if (input.current !== null) input.current.value = ''
  }

  return (
    <search class="search-line">
      <form
        aria-label={collection.title}
        onSubmit={(event) => {
          event.preventDefault()
          void find()
        }}
      >
        <input
          ref={input}
          type="search"
          id="search-line"
          aria-label="Search"
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : 'search-fault'}
          placeholder={collection.searched}
          spellcheck={false}
          autocapitalize="none"
          autocomplete="off"
        />
        <button type="submit">Search</button>
      </form>
      {fault !== null && <FaultIn {...fault} />}
    </search>
  )
}

function FaultIn({ text, fault: { message, from, to } }: { readonly text: string; readonly fault: Fault }) {
  return (
    <div id="search-fault" class="refusal" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      <pre class="place">
        {text.slice(0, from)}
        <mark>{text.slice(from, to) || '⏎'}</mark>
        {text.slice(to)}
      </pre>
    </div>
  )
}

/** What the server reads a text as, in any spelling; a name where it is nothing else. */
async function spelled(
  { name }: Collection,
  text: string,
  parameters: readonly SpelledParameter[],
): Promise<readonly Condition[]> {
  for (const parameter of parameters) {
    const body = { parameters: { [parameter]: text } }
    const query = await ask<{ query?: JsonObject }>('POST', `/${name}/validate`, { body }).then(
      ({ data }) => data.query,
      () => undefined,
    )
    if (query !== undefined) return conditionsOf(query)
  }
  return [nameLike(text)]
}

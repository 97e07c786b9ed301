import { useEffect, useRef, useState } from 'preact/hooks'
import { late } from '../../parts/late.tsx'
import type { Fault } from '../../query/relaxed-json.ts'
import type { Collection } from './collections.ts'

const Suggestions = late(async () => (await import('./suggestions.tsx')).Suggestions)

interface SearchLineProps {
  readonly collection: Collection
  /** What is asked now. */
  readonly text: string
  /** What is wrong with it. */
  readonly fault: Fault | null
  /** A text to be asked in its place. */
  readonly onSearch: (text: string) => void
}

/** One line for all that people look for. What was found stays in it until something else is looked for. */
export function SearchLine({ collection, text, fault, onSearch }: SearchLineProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isTyping, setIsTyping] = useState(false)
  useEffect(() => {
    if (input.current !== null) input.current.value = text
  }, [text])

  return (
    <search class="search-line">
      <form
        aria-label={collection.title}
        onSubmit={(event) => {
          event.preventDefault()
          setIsTyping(false)
          onSearch(input.current?.value.trim() ?? '')
          // The next search takes its place.
          input.current?.select()
        }}
      >
        <input
          ref={input}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          role="combobox"
          aria-expanded="false"
          aria-autocomplete="list"
          aria-controls="search-suggestions"
          id="search-line"
          aria-label="Search"
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : 'search-fault'}
          placeholder={collection.searched}
          spellcheck={false}
          autocapitalize="none"
          autocomplete="off"
          onInput={() => setIsTyping(true)}
          onBlur={() => setIsTyping(false)}
        />
        <button type="submit">Search</button>
      </form>
      {isTyping && input.current !== null && <Suggestions collection={collection} input={input.current} />}
      {fault !== null && <FaultIn text={text} fault={fault} />}
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

import { useEffect, useMemo, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import {
  type CountedValues,
  type Suggestion,
  suggestionsFor,
  valuesQuestion,
  valueTyped,
} from '../../query/search-line/suggest.ts'
import type { Collection } from './collections.ts'
import { vocabularyOf } from './line-reader.ts'
import { useFields } from './use-fields.ts'

interface SuggestionsProps {
  readonly collection: Collection
  /** What is written into. */
  readonly input: HTMLInputElement
}

/** Between keys of somebody who types. */
const PAUSE_MS = 150
const LIST = 'search-suggestions'

/** What could stand at the end of the line. The keys are those of the field, which keeps the focus. */
export function Suggestions({ collection, input }: SuggestionsProps) {
  const [text, setText] = useState(input.value)
  // By what it writes: others may come before it while it is chosen.
  const [chosenText, choose] = useState('')
  const [isClosed, close] = useState(false)
  const fields = useFields(collection)
  const vocabulary = useMemo(() => vocabularyOf(collection, fields ?? []), [collection, fields])
  const found = useValues(collection, valueTyped(text))
  const suggestions = useMemo(
    () => (isClosed ? [] : suggestionsFor(text, vocabulary, found)),
    [isClosed, text, vocabulary, found],
  )
  const at = suggestions.findIndex((one) => one.text === chosenText)
  const setAt = (index: number) => choose(suggestions[index]?.text ?? '')

  useEffect(() => {
    function onInput(): void {
      setText(input.value)
      choose('')
      close(false)
    }
    input.addEventListener('input', onInput)
    return () => input.removeEventListener('input', onInput)
  }, [input])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => onKeyDown(event)
    input.addEventListener('keydown', onKey)
    input.setAttribute('aria-expanded', String(suggestions.length > 0))
    if (at >= 0 && at < suggestions.length) input.setAttribute('aria-activedescendant', `${LIST}-${at}`)
    document.getElementById(`${LIST}-${at}`)?.scrollIntoView({ block: 'nearest' })
    return () => {
      input.removeEventListener('keydown', onKey)
      input.removeAttribute('aria-activedescendant')
      input.setAttribute('aria-expanded', 'false')
    }
  })

  function onKeyDown(event: KeyboardEvent): void {
    if (suggestions.length === 0) return
    const chosen = suggestions[at]
    if (event.key === 'ArrowDown') setAt((at + 1) % suggestions.length)
    else if (event.key === 'ArrowUp') setAt((at <= 0 ? suggestions.length : at) - 1)
    else if (event.key === 'Escape') close(true)
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  function take({ text: written, from }: Suggestion): void {
    input.value = text.slice(0, from) + written
    input.dispatchEvent(new Event('input', { bubbles: true }))
    close(!written.endsWith(' '))
  }

  if (suggestions.length === 0) return null
  return (
    <div id={LIST} class="suggestions" role="listbox" aria-label="Suggestions" tabIndex={-1}>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
        <div
          key={suggestion.text}
          id={`${LIST}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(suggestion)}
        >
          <span>{suggestion.title}</span>
          <small>
            {suggestion.kind}
            {suggestion.count !== undefined && `, ${suggestion.count.toLocaleString()}`}
          </small>
        </div>
      ))}
    </div>
  )
}

const NONE: readonly CountedValues[] = []

/** Values of records that have a word in them; asked when the typing pauses, and ended when it goes on. */
function useValues(collection: Collection, word: string | null): readonly CountedValues[] {
  const [found, setFound] = useState(NONE)
  useEffect(() => {
    if (word === null) return setFound(NONE)
    const end = new AbortController()
    const pause = setTimeout(() => {
      const body = valuesQuestion(word, vocabularyOf(collection, []))
      ask<{ readonly facets: readonly CountedValues[] }>('POST', `/${collection.name}/facets`, {
        body,
        signal: end.signal,
      }).then(
        ({ data }) => setFound(data.facets),
        () => null,
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(pause)
      end.abort()
    }
  }, [collection, word])
  return found
}

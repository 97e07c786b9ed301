import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
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
  const [chosenText, setChosenText] = useState('')
  const [isClosed, close] = useState(false)
  const fields = useFields(collection)
  const vocabulary = useMemo(() => vocabularyOf(collection, fields ?? []), [collection, fields])
  const found = useValues(collection, valueTyped(text))
  const suggestions = useMemo(
    () => (isClosed ? [] : suggestionsFor(text, vocabulary, found)),
    [isClosed, text, vocabulary, found],
  )
  const at = suggestions.findIndex((one) => one.text === chosenText)
  // Keys come faster than what is shown is put on the screen.
  const latest = useRef({ text, chosenText, suggestions })
  latest.current = { text, chosenText, suggestions }

  function choose(suggestion: Suggestion | undefined): void {
    latest.current.chosenText = suggestion?.text ?? ''
    setChosenText(latest.current.chosenText)
  }

  // Before anything else is typed, which would not be heard.
  useLayoutEffect(() => {
    function onInput(): void {
      setText(input.value)
      choose(undefined)
      close(false)
    }
    function onKeyDown(event: KeyboardEvent): void {
      const { suggestions: all, chosenText: chosen } = latest.current
      const index = all.findIndex((one) => one.text === chosen)
      const suggestion = all[index]
      const next = neighbour(index, all.length, event.key)
      if (all.length === 0) return
      if (next !== null) choose(all[next])
      else if (event.key === 'Escape') close(true)
      else if (event.key === 'Enter' && suggestion !== undefined) take(suggestion)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    input.addEventListener('input', onInput)
    input.addEventListener('keydown', onKeyDown)
    return () => {
      input.removeEventListener('input', onInput)
      input.removeEventListener('keydown', onKeyDown)
    }
  }, [input])

  useEffect(() => {
    input.setAttribute('aria-expanded', String(suggestions.length > 0))
    if (at >= 0) input.setAttribute('aria-activedescendant', `${LIST}-${at}`)
    document.getElementById(`${LIST}-${at}`)?.scrollIntoView({ block: 'nearest' })
    return () => {
      input.removeAttribute('aria-activedescendant')
      input.setAttribute('aria-expanded', 'false')
    }
  })

  function take({ text: written, from }: Suggestion): void {
    input.value = latest.current.text.slice(0, from) + written
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

/** Where an arrow leads to in a list, from its end to its beginning; null for other keys. */
function neighbour(at: number, length: number, key: string): number | null {
  if (key === 'ArrowDown') return (at + 1) % length
  return key === 'ArrowUp' ? (at <= 0 ? length : at) - 1 : null
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

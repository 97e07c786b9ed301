import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import type { Condition } from '../../query/conditions.ts'
import type { Piece } from '../../query/search-line/piece.ts'
import { readLine } from '../../query/search-line/read-line.ts'
import { writeCondition, writeLine } from '../../query/search-line/write-line.ts'
import { diagramPath, MOST_ELEMENTS } from '../phase-diagram/diagram-path.ts'
import type { Collection } from './collections.ts'
import { ConditionText } from './condition-text.tsx'
import { partsOf, wordsOf } from './condition-words.ts'
import { vocabularyOf } from './line-reader.ts'
import { useFields } from './use-fields.ts'

export interface ChipsProps {
  readonly collection: Collection
  /** What the search line asks. */
  readonly pieces: readonly Piece[]
  /** What filters and plots ask. */
  readonly filters: readonly Condition[]
  /** Another text of the line, and other filters. */
  readonly onChange: (text: string, filters: readonly Condition[]) => void
}

/** What is asked, condition by condition; each can be written anew and taken away. */
export function Chips({ collection, pieces, filters, onChange }: ChipsProps) {
  const conditions = [...pieces.map(({ condition }) => condition), ...filters]
  const elements = collection.hasElements ? elementsOf(conditions) : []
  const line = (changed: readonly { readonly text: string }[]) => onChange(writeLine(changed), filters)
  // By their paths: which field a name means depends on the records.
  const vocabulary = { ...vocabularyOf(collection, []), aliases: [] }
  return (
    <ul class="chips" aria-label="What is asked">
      {pieces.map((piece, at) => (
        <Chip
          key={`${at} ${piece.text}`}
          collection={collection}
          condition={piece.condition}
          text={piece.text}
          otherwise={piece.otherwise}
          onDrop={() => line(pieces.filter((one) => one !== piece))}
          onWrite={(text) => line(pieces.map((one) => (one === piece ? { text } : one)))}
        />
      ))}
      {filters.map((filter) => (
        <Chip
          key={JSON.stringify(filter)}
          collection={collection}
          condition={filter}
          text={writeCondition(filter, vocabulary)}
          otherwise={[]}
          onDrop={() => onChange(writeLine(pieces), without(filters, filter))}
          onWrite={(_, written) => onChange(writeLine(pieces), replaced(filters, filter, written))}
        />
      ))}
      {elements.length > 0 && elements.length <= MOST_ELEMENTS && (
        <li class="chip-link">
          <Link to={diagramPath({ elements })}>Phase diagram of {elements.join('–')}</Link>
        </li>
      )}
      {conditions.length > 1 && (
        <li>
          <button type="button" class="plain" onClick={() => onChange('', [])}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}

function without(filters: readonly Condition[], filter: Condition): readonly Condition[] {
  return filters.filter((one) => one !== filter)
}

function replaced(filters: readonly Condition[], filter: Condition, by: readonly Condition[]): readonly Condition[] {
  return filters.flatMap((one) => (one === filter ? by : [one]))
}

interface ChipProps {
  readonly collection: Collection
  readonly condition: Condition
  /** As it is written in the line. */
  readonly text: string
  readonly otherwise: readonly string[]
  readonly onDrop: () => void
  readonly onWrite: (text: string, conditions: readonly Condition[]) => void
}

function Chip(props: ChipProps) {
  const { collection, condition, onDrop } = props
  const [isWriting, setIsWriting] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const words = wordsOf(condition, collection)
  if (isWriting) {
    const close = () => {
      setIsWriting(false)
      requestAnimationFrame(() => button.current?.focus())
    }
    return <Writing {...props} onClose={close} />
  }
  return (
    <li class={condition.kind === 'other' ? 'chip code' : 'chip'}>
      <button
        type="button"
        ref={button}
        class="plain chip-words"
        aria-label={`Change: ${words}`}
        onClick={() => setIsWriting(true)}
        onKeyDown={({ key }) => (key === 'Delete' || key === 'Backspace') && onDrop()}
      >
        <ConditionText parts={partsOf(condition, collection)} />
      </button>
      <button type="button" class="plain" aria-label={`Without: ${words}`} onClick={onDrop}>
        ✕
      </button>
    </li>
  )
}

/** A chip that is being written anew. */
function Writing({ collection, text, otherwise, onWrite, onClose }: ChipProps & { readonly onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState('')
  const fields = useFields(collection)
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  function write(typed: string): void {
    const read = readLine(typed, vocabularyOf(collection, fields ?? []))
    if ('fault' in read) {
      setFault(read.fault.message)
      return
    }
    onClose()
    const conditions = read.pieces.map(({ condition }) => condition)
    if (typed !== text) onWrite(typed, conditions)
  }
  return (
    <li class="chip writing">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          write(input.current?.value.trim() ?? '')
        }}
      >
        <input
          ref={input}
          aria-label="Condition"
          aria-invalid={fault !== ''}
          defaultValue={text}
          size={Math.min(48, Math.max(8, text.length + 2))}
          spellcheck={false}
          autocapitalize="none"
          autocomplete="off"
          onInput={() => setFault('')}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onClose()
          }}
        />
        <button type="submit" class="plain">
          OK
        </button>
      </form>
      {otherwise.map((other) => (
        <button
          key={other}
          type="button"
          class="plain"
          aria-label={`Take it for: ${other}`}
          onClick={() => write(other)}
        >
          {other}?
        </button>
      ))}
      {fault !== '' && (
        <span role="alert" class="chip-fault">
          {fault}
        </span>
      )}
    </li>
  )
}

/** Elements that are asked for. */
function elementsOf(conditions: readonly Condition[]): readonly string[] {
  const symbols = conditions.flatMap((one) =>
    one.kind === 'system' || (one.kind === 'elements' && one.mode !== 'none') ? one.symbols : [],
  )
  return [...new Set(symbols)]
}

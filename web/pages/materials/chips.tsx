import { Formula } from '../../parts/formula.tsx'
import type { Condition } from '../../query/conditions.ts'
import type { Collection } from './collections.ts'
import { wordsOf } from './condition-words.ts'

interface ChipsProps {
  readonly collection: Collection
  readonly conditions: readonly Condition[]
  readonly onChange: (conditions: readonly Condition[]) => void
}

/** What is asked, condition by condition; each can be taken away. */
export function Chips({ collection, conditions, onChange }: ChipsProps) {
  if (conditions.length === 0) return null
  return (
    <ul class="chips" aria-label="What is asked">
      {conditions.map((condition, at) => {
        const words = wordsOf(condition, collection)
        const isFormula = condition.kind === 'values' && condition.path === 'formula'
        return (
          <li key={words} class={condition.kind === 'other' ? 'chip code' : 'chip'}>
            <span>{isFormula ? <Formula text={words} /> : words}</span>
            <button
              type="button"
              class="plain"
              aria-label={`Without: ${words}`}
              onClick={() => onChange(conditions.filter((_, other) => other !== at))}
            >
              ✕
            </button>
          </li>
        )
      })}
      {conditions.length > 1 && (
        <li>
          <button type="button" class="plain" onClick={() => onChange([])}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}

import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'
import type { Condition } from '../../query/conditions.ts'
import { diagramPath, MOST_ELEMENTS } from '../phase-diagram/diagram-path.ts'
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
  const elements = collection.hasElements ? elementsOf(conditions) : []
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
      {elements.length > 0 && elements.length <= MOST_ELEMENTS && (
        <li class="chip-link">
          <Link to={diagramPath({ elements })}>Phase diagram of {elements.join('–')}</Link>
        </li>
      )}
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

/** Elements that are asked for. */
function elementsOf(conditions: readonly Condition[]): readonly string[] {
  const symbols = conditions.flatMap((one) =>
    one.kind === 'system' || (one.kind === 'elements' && one.mode !== 'none') ? one.symbols : [],
  )
  return [...new Set(symbols)]
}

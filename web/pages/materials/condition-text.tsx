import { PrintedSymbol } from './cell-value.tsx'
import type { WordPart } from './condition-words.ts'

/** What is said of a condition, with formulas and symbols as they are printed. */
export function ConditionText({ parts }: { readonly parts: readonly WordPart[] }) {
  return (
    <span>
      {parts.map((part, index) => (typeof part === 'string' ? part : <PrintedSymbol key={index} {...part} />))}
    </span>
  )
}

import { readElementClass, SYMBOLS } from '../../src/page/elements.ts'
import { readIon } from '../../src/page/ion.ts'
import type { Condition, JsonObject } from './conditions.ts'
import { type Fault, readRelaxed } from './relaxed-json.ts'

/** What somebody means by what is typed into the search line. */
export type SearchLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'query'; readonly query: JsonObject }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'condition'; readonly condition: Condition }
  /** What the server reads best, in this order; a name where it is neither. */
  | { readonly kind: 'spelling'; readonly text: string; readonly parameters: readonly SpelledParameter[] }

/** Parameters of lists that take a value in any spelling. */
export type SpelledParameter = 'formula' | 'spaceGroup'

const MOST_GROUPS = 230
/** A letter of a lattice, then what follows it: `Fm-3m`, `P 21/c`, `P6_3/mmc`. */
const GROUP = /^[PIFCABRH]\s*[-\d\sabcdemnR/_:]+$/
const FORMULA = /^[A-Z(][A-Za-z0-9()[\].₀-₉\s]*$/

/** Reads a formula, a name, elements or a class of them, an oxidation state, a chemical system, a space group or a query. */
export function readSearchLine(typed: string): SearchLine {
  const text = typed.trim()
  if (text === '') return { kind: 'nothing' }
  if (text.startsWith('{')) return readQuery(text)
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_GROUPS)
    return condition({ kind: 'values', path: 'spaceGroup.number', values: [Number(text)] })
  const system = symbolsIn(text, /\s*[-–]\s*/)
  if (system !== null) return condition({ kind: 'system', symbols: [...system].sort() })
  const elements = symbolsIn(text, /\s*,\s*|\s+/)
  if (elements !== null) return condition({ kind: 'elements', mode: 'all', symbols: elements })
  const elementClass = readElementClass(text)
  if (elementClass !== null) return condition({ kind: 'values', path: 'elementClasses', values: [elementClass] })
  const ion = readIon(text)
  if (ion !== null) return condition({ kind: 'values', path: 'oxidationStates', values: [ion] })
  const parameters: SpelledParameter[] = [
    ...(FORMULA.test(text) ? ['formula' as const] : []),
    ...(GROUP.test(text) ? ['spaceGroup' as const] : []),
  ]
  if (parameters.length > 0) return { kind: 'spelling', text, parameters }
  return condition(nameLike(text))
}

/** Whoever has such a name, in upper or lower case. */
export function nameLike(text: string): Condition {
  return { kind: 'name', text }
}

function readQuery(text: string): SearchLine {
  const read = readRelaxed(text)
  return 'fault' in read ? { kind: 'fault', fault: read.fault } : { kind: 'query', query: JSON.parse(read.json) }
}

/** Two or more symbols of elements; null where one is none. */
function symbolsIn(text: string, separator: RegExp): readonly string[] | null {
  const parts = [...new Set(text.split(separator))]
  return parts.length > 1 && parts.every((part) => SYMBOLS.has(part)) ? parts : null
}

function condition(one: Condition): SearchLine {
  return { kind: 'condition', condition: one }
}

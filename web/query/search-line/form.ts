import { SYMBOLS } from '../../../src/page/elements.ts'
import { anonymousFormula } from '../../../src/page/formula-spelling.ts'
import type { Condition } from '../conditions.ts'

/** Letters that stand for elements though they are symbols, where A, or what is no symbol, is there, too. */
const IN_ORDER = ['A', 'B', 'C', 'D']
/** Letters that are symbols of no element: metals, anions, rare earths. */
const NO_SYMBOLS = new Set(['A', 'E', 'G', 'J', 'L', 'M', 'Q', 'R', 'T', 'X', 'Z'])
const PARTS = /([A-Z][a-z]?)(\d{0,3})/g
const WHOLE = /^(?:[A-Z][a-z]?\d{0,3}){2,8}$/

interface Part {
  readonly letter: string
  readonly count: number
  readonly isElement: boolean
}

/** Reads a formula with letters for some of its elements: `ABO3`, `MO2`, `A2BX6`, `RFeO3`; null for what has none, or is no formula. */
export function readForm(text: string): (Condition & { readonly kind: 'form' }) | null {
  if (!WHOLE.test(text)) return null
  const parts = partsOf(text)
  const letters = parts.map(({ letter }) => letter)
  const hasLetter = parts.some(({ isElement }) => !isElement)
  const isKnown = parts.every(({ letter, isElement }) => !isElement || SYMBOLS.has(letter))
  const isCounted = /\d/.test(text) || /^(?:AB|MX)/.test(text)
  if (!hasLetter || !isKnown || !isCounted || new Set(letters).size < letters.length) return null
  if (parts.some(({ count }) => count === 0)) return null
  return {
    kind: 'form',
    text,
    anonymousFormula: anonymousFormula(new Map(parts.map(({ letter, count }) => [letter, count]))),
    patterns: parts.filter(({ isElement }) => isElement).map(patternOf),
  }
}

function partsOf(text: string): readonly Part[] {
  const all = [...text.matchAll(PARTS)].map(([, letter = '', count = '']) => ({ letter, count: Number(count || 1) }))
  // C stands for an element only behind A and B.
  const letters = IN_ORDER.filter((_, at) =>
    IN_ORDER.slice(0, at + 1).every((one) => all.some(({ letter }) => letter === one)),
  )
  return all.map((part) => ({ ...part, isElement: !NO_SYMBOLS.has(part.letter) && !letters.includes(part.letter) }))
}

/** How a formula in lowest terms has an element: `O3`, and neither `O32` nor `Os`. */
function patternOf({ letter, count }: Part): string {
  return count === 1 ? `${letter}([A-Z]|$)` : `${letter}${count}([A-Z]|$)`
}

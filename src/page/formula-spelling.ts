import { SYMBOLS } from './elements.ts'
import { type ElementCounts, plainDigits, printCounts, reducedCounts } from './formula.ts'

/** Spaces, and the tags of HTML. */
const DECORATION = /\s|<\/?su[bp]>/g
/** All elements, each with a count. */
const LONGEST_ANONYMOUS = 1000
/** Beyond this many characters there are too many ways to read them. */
const LONGEST_WITHOUT_CAPITALS = 24

/** Lowest whole numbers with letters for elements, the most frequent first: `A3BC` for SrTiO3. */
export function anonymousFormula(counts: ElementCounts): string {
  const numbers = [...reducedCounts(counts).values()].sort((one, other) => other - one)
  return printCounts(new Map(numbers.map((count, index) => [anonymousLetter(index), count])))
}

/** A to Z, then Aa, Ba, … as OPTIMADE numbers elements. */
function anonymousLetter(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  const round = Math.floor(index / 26)
  return round === 0 ? letter : letter + String.fromCharCode(96 + round)
}

/** Reads a formula with letters for elements, `ABC3`, in any order; null for anything else. The counts go by their letters. */
export function readAnonymousFormula(text: string): ElementCounts | null {
  const plain = plainDigits(text.replaceAll(DECORATION, ''))
  if (plain.length > LONGEST_ANONYMOUS || !/^(?:[A-Z][a-z]?\d{0,6})+$/.test(plain)) return null
  const parts = [...plain.matchAll(/([A-Z][a-z]?)(\d*)/g)].map(
    ([, letter = '', count = '']) => [letter, count] as const,
  )
  const counts = new Map(parts.map(([letter, count]) => [letter, count === '' ? 1 : Number(count)]))
  // Each letter once, the first ones of the alphabet, and no count of nothing.
  const letters = [...counts.keys()].filter((letter) => letter.length === 1).sort()
  const isInOrder = letters.every((letter, index) => letter === String.fromCharCode(65 + index))
  return counts.size === parts.length && isInOrder && ![...counts.values()].includes(0) ? counts : null
}

/** Puts capitals into a formula without any: `tio2` is TiO2. Two-letter symbols come first; null for what is no formula in any case. */
export function withCapitals(text: string): string | null {
  if (text.length > LONGEST_WITHOUT_CAPITALS || text !== text.toLowerCase() || !/^[a-z\d()]+$/.test(text)) return null
  const read = (rest: string): string | null => {
    if (rest === '') return ''
    const other = /^[\d()]+/.exec(rest)?.[0]
    if (other !== undefined) return joined(other, read(rest.slice(other.length)))
    for (const length of [2, 1]) {
      const symbol = rest.charAt(0).toUpperCase() + rest.slice(1, length)
      if (!SYMBOLS.has(symbol)) continue
      const after = read(rest.slice(length))
      if (after !== null) return symbol + after
    }
    return null
  }
  return read(text)
}

function joined(before: string, after: string | null): string | null {
  return after === null ? null : before + after
}

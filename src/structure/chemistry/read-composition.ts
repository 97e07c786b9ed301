import { AppError } from '../../kernel/errors.ts'
import { ELEMENTS, findElement } from '../elements/element.ts'
import { elementNamed, titleCase } from '../formats/common/species.ts'
import { type ElementCounts, inFormulaOrder } from '../formula.ts'
import { parseFormula } from './formula-forms.ts'

/** Spaces, and the tags of HTML. */
const DECORATION = /\s|<\/?su[bp]>/g
/** No count begins with a zero: it was meant for oxygen, as in `Si02`. */
const ZERO_FOR_OXYGEN = /(?:^|[^\d.])0\d/
const TEX = /[\\$_]/
const TEX_DECORATION = /\\[a-z]+|[$_{}]/gi
/** All elements, each with a count. */
const LONGEST_ANONYMOUS = 1000
/** Beyond this many characters there are too many ways to read them. */
const LONGEST_WITHOUT_CAPITALS = 24
const byName: ReadonlyMap<string, string> = new Map(ELEMENTS.map(({ name, symbol }) => [name.toLowerCase(), symbol]))

/** Reads a formula in any order of elements, with spaces, subscripts, TeX or HTML; null for none. Elements get this server's order. */
export function readComposition(text: string): ElementCounts | null {
  const plain = (TEX.test(text) ? text.replaceAll(TEX_DECORATION, '') : text).replaceAll(DECORATION, '')
  if (plain === '' || ZERO_FOR_OXYGEN.test(plain)) return null
  try {
    return inFormulaOrder(parseFormula(plain))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Reads a formula with letters for elements, `ABC3`, in any order; null for anything else. The counts go by their letters. */
export function readAnonymousFormula(text: string): ElementCounts | null {
  const plain = text.replaceAll(DECORATION, '').replaceAll(/[₀-₉]/g, (digit) => String('₀₁₂₃₄₅₆₇₈₉'.indexOf(digit)))
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

/** Reads the symbol of one element in any letter case, or its English name; null for anything else. */
export function readElement(text: string): string | null {
  const name = text.trim()
  return (
    findElement(name)?.symbol ??
    byName.get(name.toLowerCase()) ??
    (/^[A-Za-z]{1,2}$/.test(name) ? (elementNamed(name) ?? null) : null)
  )
}

/** Reads elements with hyphens, commas or spaces between them: `Ti-O`, `Ti, O`; null for anything else. */
export function readElements(text: string): readonly string[] | null {
  const elements = text
    .split(/[-–,;+/\s]+/)
    .filter((part) => part !== '')
    .map(readElement)
  return elements.length > 0 && elements.every((element) => element !== null) ? [...new Set(elements)].sort() : null
}

/** Tells whether a text names several elements and is no formula. */
export function isElementList(text: string): boolean {
  return /[-–,;+/]/.test(text) && (readElements(text)?.length ?? 0) > 1
}

/** Puts capitals into a formula without any: `tio2` is TiO2. Two-letter symbols come first; null for what is no formula in any case. */
export function withCapitals(text: string): string | null {
  if (text.length > LONGEST_WITHOUT_CAPITALS || text !== text.toLowerCase() || !/^[a-z\d()]+$/.test(text)) return null
  const read = (rest: string): string | null => {
    if (rest === '') return ''
    const other = /^[\d()]+/.exec(rest)?.[0]
    if (other !== undefined) return joined(other, read(rest.slice(other.length)))
    for (const length of [2, 1]) {
      const symbol = titleCase(rest.slice(0, length))
      if (findElement(symbol) === undefined) continue
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

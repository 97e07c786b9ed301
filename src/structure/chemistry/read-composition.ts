import { AppError } from '../../kernel/errors.ts'
import { ELEMENTS, findElement } from '../elements/element.ts'
import { elementNamed } from '../formats/common/species.ts'
import { type ElementCounts, inFormulaOrder } from '../formula.ts'
import { parseFormula } from './formula-forms.ts'

/** Spaces, and the tags of HTML. */
const DECORATION = /\s|<\/?su[bp]>/g
/** No count begins with a zero: it was meant for oxygen, as in `Si02`. */
const ZERO_FOR_OXYGEN = /(?:^|[^\d.])0\d/
const TEX = /[\\$_]/
const TEX_DECORATION = /\\[a-z]+|[$_{}]/gi
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

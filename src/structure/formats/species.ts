import { elementOfNumber, isElementSymbol } from '../elements/element.ts'
import { FORMAT_ERRORS, type Place, refusal } from './errors.ts'

/** What a name of an atom was read as; `sure` when there was no other way to read it. */
export interface SpeciesReading {
  readonly element: string
  readonly sure: boolean
}

/** Isotopes of hydrogen are hydrogen to everything that counts electrons. */
const HYDROGEN_ISOTOPES = new Set(['D', 'T'])
/** Names of whole groups that stand for the place of their heaviest atom. */
const GROUP_NAMES = /^(?:wat(?:er)?|h2o|oh2?|ow|ohw?|hoh)(?![a-z])/i
const HYDROGEN_OF_WATER = /^hw(?![a-z])/i

/** Writes a symbol the way chemists do: first letter capital, the second small. */
export function titleCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

/** The element that a text names exactly, in any letter case; D and T are hydrogen. */
export function elementNamed(text: string): string | undefined {
  const symbol = titleCase(text)
  if (HYDROGEN_ISOTOPES.has(symbol)) return 'H'
  return isElementSymbol(symbol) ? symbol : undefined
}

/** The symbol of an element by its atomic number. */
export function elementNumbered(atomicNumber: number): string | undefined {
  return elementOfNumber(atomicNumber)?.symbol
}

/**
 * Reads a declared type: `Si`, `Si4+`, `O2-`, `CA` (calcium), `Fe+3`, `Cval`, `Wat`. A type is about chemistry, so two letters
 * are read as one symbol whatever their case.
 */
export function readType(text: string): SpeciesReading | undefined {
  const letters = /^[A-Za-z]+/.exec(text.trim())?.[0]
  if (letters === undefined) return undefined
  const exact = elementNamed(letters)
  if (exact !== undefined) return { element: exact, sure: !HYDROGEN_ISOTOPES.has(titleCase(letters)) }
  return readGroup(text) ?? readLeading(letters)
}

/**
 * Reads the label of an atom: `Fe1`, `O2a`, `CA1`. A label is about naming, so `CA` may be carbon; the elements that the
 * file's formula lists decide when both readings are possible.
 */
export function readLabel(text: string, formula: ReadonlySet<string>): SpeciesReading | undefined {
  const label = text.trim().replace(/^[^A-Za-z]+/, '')
  const letters = /^[A-Za-z]+/.exec(label)?.[0]
  if (letters === undefined) return undefined
  const one = elementNamed(letters.slice(0, 1))
  const two = letters.length > 1 ? elementNamed(letters.slice(0, 2)) : undefined
  const group = readGroup(label)
  if (two === undefined && group !== undefined) return group
  if (two === undefined)
    return one === undefined ? undefined : { element: one, sure: letters.length === 1 && one !== 'H' }
  if (one === undefined) return { element: two, sure: letters.length === 2 }
  const listed = [two, one].filter((symbol) => formula.has(symbol))
  if (listed.length === 1)
    return { element: listed[0] as string, sure: listed[0] === two && isTwoLetterSymbol(letters) }
  return isTwoLetterSymbol(letters) || letters.length > 2 || listed.length === 0
    ? { element: two, sure: isTwoLetterSymbol(letters) && letters.length === 2 }
    : { element: one, sure: false }
}

/** A capital and a small letter: the way a symbol is written. */
function isTwoLetterSymbol(letters: string): boolean {
  return /^[A-Z][a-z]/.test(letters)
}

function readGroup(text: string): SpeciesReading | undefined {
  if (HYDROGEN_OF_WATER.test(text)) return { element: 'H', sure: false }
  return GROUP_NAMES.test(text) ? { element: 'O', sure: false } : undefined
}

function readLeading(letters: string): SpeciesReading | undefined {
  const two = elementNamed(letters.slice(0, 2))
  const one = elementNamed(letters.slice(0, 1))
  const element = isTwoLetterSymbol(letters) ? (two ?? one) : (one ?? two)
  return element === undefined ? undefined : { element, sure: false }
}

/** The element that a field must name; refuses with the field's content. */
export function requireElement(text: string, what: string, place: Place = {}): string {
  const reading = readType(text)
  if (reading !== undefined) return reading.element
  throw refusal(FORMAT_ERRORS.unknownSpecies, `${what} "${text}" is no chemical element.`, {
    hint: 'Use the symbol of an element, such as Si.',
    ...place,
  })
}

import type { Json } from '../../../kernel/json.ts'
import { findElement } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import type { ElementCounts } from '../../formula.ts'
import { isPartial } from '../../occupancy.ts'

/** Reading of an atom's name. */
export interface SpeciesReading {
  /** Null where the name is that of no atom: a vacancy, a ghost, a dummy, a lone pair, a translation vector. */
  readonly element: string | null
  /** Whether there was no other way to read it. */
  readonly sure: boolean
  /** The mass number that the name says: `D`, `T`. */
  readonly isotope?: 2 | 3
}

/** Isotopes of hydrogen are hydrogen to everything that counts electrons. */
const HYDROGEN_ISOTOPES = new Set(['D', 'T'])
/** Names of water, hydroxyl and ammonium, which stand for the place of their heavy atom. */
const OXYGEN_GROUP = /^(?:wat(?:er)?|h2o|d2o|o[hd]2?|ow|ohw?|hoh)(?![a-z])/i
const NITROGEN_GROUP = /^n[hd][34](?![a-z\d])/i
const HYDROGEN_OF_WATER = /^hw(?![a-z])/i
/** What programs and people write in the place of a symbol where there is no atom; `Gh-O`, `@O`, `O-Bq` and `O:` are basis functions of oxygen alone. */
const NO_ATOM = /^(?:@|□|\[\]|bq|gh|lp|tv|du|vac|(?:va|xx?|q)(?![a-z]))|(?:[-_](?:bq|gh|ghost)|:)$/i
const NO_ATOM_READING: SpeciesReading = { element: null, sure: true }
/** From here on nobody has grown a crystal, but atoms are called NH, OG or SG. */
const FIRST_SUPERHEAVY = 99

/** Writes a symbol the way chemists do: first letter capital, the second small. */
export function titleCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

/** The element that a text names, in any letter case but for superheavy elements; D and T are hydrogen. */
export function elementNamed(text: string): string | undefined {
  const symbol = titleCase(text)
  if (HYDROGEN_ISOTOPES.has(symbol)) return 'H'
  const element = findElement(symbol)
  if (element === undefined || (element.number >= FIRST_SUPERHEAVY && text !== symbol)) return undefined
  return symbol
}

/** Tells whether a name, its number and charge aside, is that of an isotope of hydrogen. */
export function isHydrogenIsotope(name: string): boolean {
  return HYDROGEN_ISOTOPES.has(/^[A-Za-z]+/.exec(name)?.[0] ?? '')
}

/** The mass number that a name stands for: 2 for `D`, 3 for `T`; nothing for other names. */
function hydrogenIsotope(name: string): 2 | 3 | undefined {
  const letters = /^[A-Za-z]+/.exec(name)?.[0] ?? ''
  return letters === 'D' ? 2 : letters === 'T' ? 3 : undefined
}

const CHARGE = /^[A-Za-z]+(?:(\d+(?:\.\d+)?)?([+-])|([+-])(\d+(?:\.\d+)?))$/

/** The charge of a declared type: 3 of `Fe3+` and `Fe+3`, 1 of `Na+`; nothing where it has none, or 0. */
export function chargeOfType(type: string): number | undefined {
  const match = CHARGE.exec(type.trim())
  if (match === null) return undefined
  const [, before, behind, sign, after] = match
  const charge = Number(before ?? after ?? 1) * ((behind ?? sign) === '-' ? -1 : 1)
  return charge === 0 ? undefined : charge
}

/** Reads a declared type: `Si`, `O2-`, `CA` (calcium), `Fe+3`, `Cval`. It is about chemistry: two letters of any case are one symbol. */
export function readType(text: string): SpeciesReading | undefined {
  const type = text.trim()
  const other = readNoElement(type)
  if (other !== undefined) return other
  const letters = /^[A-Za-z]+/.exec(type)?.[0]
  if (letters === undefined) return undefined
  const exact = elementNamed(letters)
  if (exact === undefined) return readLeading(letters)
  const isotope = hydrogenIsotope(letters)
  // Two capitals and a number without a charge may be a group: CO3 is not certain to be cobalt.
  return { element: exact, sure: !/^[A-Z]{2}\d+$/.test(type), ...(isotope === undefined ? {} : { isotope }) }
}

/** Reads a name that only begins as an element does: that of no atom, or of water, hydroxyl and ammonium. */
export function readNoElement(text: string): SpeciesReading | undefined {
  return NO_ATOM.test(text.trim()) ? NO_ATOM_READING : readGroup(text.trim())
}

/** Reads the label of an atom: `Fe1`, `O2a`. It is about naming: `CA` may be carbon, and the file's formula decides between the two. */
export function readLabel(text: string, formula: ReadonlySet<string>): SpeciesReading | undefined {
  if (NO_ATOM.test(text.trim()) && !(/^va/i.test(text.trim()) && formula.has('V'))) return NO_ATOM_READING
  const label = text.trim().replace(/^[^A-Za-z]+/, '')
  const letters = /^[A-Za-z]+/.exec(label)?.[0]
  if (letters === undefined) return undefined
  const one = elementNamed(letters.slice(0, 1))
  const two = letters.length > 1 ? commonElement(letters.slice(0, 2), formula) : undefined
  const exact = isTwoLetterSymbol(letters)
  if (two === undefined) {
    return (
      readGroup(label) ??
      (one === undefined ? undefined : { element: one, sure: letters.length === 1, ...deuterium(letters) })
    )
  }
  if (one === undefined) return { element: two, sure: letters.length === 2 }
  const listed = [two, one].filter((symbol) => formula.has(symbol))
  if (listed[0] !== undefined && listed.length === 1) return { element: listed[0], sure: listed[0] === two && exact }
  const group = exact ? undefined : readGroup(label)
  return group ?? { element: two, sure: exact && letters.length === 2 }
}

/** Only `D` counts in a label: `T1` is the tetrahedral site of a silicate. */
function deuterium(letters: string): Pick<SpeciesReading, 'isotope'> {
  return letters === 'D' ? { isotope: 2 } : {}
}

/** Superheavy elements are taken from a label only where the formula lists them. */
function commonElement(text: string, formula: ReadonlySet<string>): string | undefined {
  const symbol = elementNamed(text)
  const superheavy = (findElement(symbol ?? '')?.number ?? 0) >= FIRST_SUPERHEAVY
  return superheavy && !formula.has(symbol ?? '') ? undefined : symbol
}

/** A capital and a small letter: the way a symbol is written. */
function isTwoLetterSymbol(letters: string): boolean {
  return /^[A-Z][a-z]/.test(letters)
}

function readGroup(text: string): SpeciesReading | undefined {
  if (HYDROGEN_OF_WATER.test(text)) return { element: 'H', sure: false }
  if (NITROGEN_GROUP.test(text)) return { element: 'N', sure: false }
  return OXYGEN_GROUP.test(text) ? { element: 'O', sure: false } : undefined
}

function readLeading(letters: string): SpeciesReading | undefined {
  const two = elementNamed(letters.slice(0, 2))
  const one = elementNamed(letters.slice(0, 1))
  const element = isTwoLetterSymbol(letters) ? (two ?? one) : (one ?? two)
  return element === undefined ? undefined : { element, sure: false }
}

/** Programs that cannot write 1 write shares this near to it. */
const WHOLE_TOLERANCE = 1e-3

/** Tells whether a share of an atom is a whole one; what is not given is. */
export function isWhole(share: Json | undefined): boolean {
  return share === undefined || share === null || (typeof share === 'number' && Math.abs(share - 1) <= WHOLE_TOLERANCE)
}

/** The share of an atom, to the four decimals that are kept; nothing for a whole one. Refuses what is none. */
export function readShare(share: Json | undefined, path: string): number | undefined {
  if (share === undefined || share === null) return undefined
  if (typeof share === 'number' && share > 0 && share <= 1.01) {
    return isPartial({ occurrence: share }) ? Math.max(1, Math.round(share * 1e4)) / 1e4 : undefined
  }
  const hint = 'The share of an atom is greater than 0 and at most 1.'
  throw refusal(FORMAT_ERRORS.malformed, `${path} is ${JSON.stringify(share)}.`, { path, hint })
}

/** The refusal of sites that are shared, partly occupied, or alternatives. */
export function disordered(message: string, place: SourcePlace): Error {
  const hint = 'Send the crystal as a CIF, where each species of a site has its place and its share.'
  return refusal(FORMAT_ERRORS.disordered, message, { hint, ...place })
}

const RATIO_TOLERANCE = 0.01

/** Files leave hydrogen out so often that compositions are compared without it too. */
export const HYDROGEN: ReadonlySet<string> = new Set(['H'])

/** Tells whether two compositions have the same ratios; elements in `ignored` do not count. */
export function sameRatios(
  one: ElementCounts,
  other: ElementCounts,
  ignored: ReadonlySet<string> = new Set(),
): boolean {
  const elements = new Set([...one.keys(), ...other.keys()].filter((element) => !ignored.has(element)))
  const total = (counts: ElementCounts): number =>
    [...elements].reduce((sum, element) => sum + (counts.get(element) ?? 0), 0)
  const [totalOne, totalOther] = [total(one), total(other)]
  if (totalOne === 0 || totalOther === 0) return totalOne === totalOther
  return [...elements].every((element) => {
    const [share, otherShare] = [(one.get(element) ?? 0) / totalOne, (other.get(element) ?? 0) / totalOther]
    return Math.abs(share - otherShare) <= RATIO_TOLERANCE * Math.max(share, otherShare)
  })
}

/** Writes counts in the order given: `Si1 O2`. */
export function printCounts(counts: ElementCounts): string {
  return [...counts].map(([element, count]) => `${element}${count}`).join(' ')
}

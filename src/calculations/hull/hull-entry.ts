import { stepsOf } from './points.ts'
import { wholeAmounts } from './whole-amounts.ts'

/** A compound or an element whose energy was computed. */
export interface HullEntry {
  readonly id: string
  /** Amounts by element, in any unit. */
  readonly composition: Readonly<Record<string, number>>
  /** In eV, of the composition as it is given. */
  readonly energy: number
}

/** More dimensions have more facets than anybody looks at. */
const MOST_ELEMENTS = 10

/** Sums of amounts must be numbers too. */
const LARGEST_AMOUNT = 1e100

/** More than all electrons of any atom have, in eV/atom: whole numbers of steps stay within those of floating point. */
const LARGEST_ENERGY = 1e9

/** Why there is no hull. */
export interface HullRefusal {
  readonly refusal: string
  /** Elements that no entry is of alone. */
  readonly missing?: readonly string[]
  /** The entry that is wrong. */
  readonly id?: string
}

/** An entry as the hull sees it. */
export interface MeasuredEntry {
  readonly id: string
  /** Smallest whole amounts of the elements. */
  readonly amounts: readonly number[]
  /** The amounts as text. */
  readonly key: string
  /** From the references, in eV/atom. */
  readonly formationEnergy: number
  /** The same in the steps of exact arithmetic. */
  readonly steps: number
}

/** Entries over all the elements that they have, with the lowest of each element alone. */
export interface MeasuredEntries {
  readonly elements: readonly string[]
  /** One for each element. */
  readonly references: readonly MeasuredEntry[]
  /** In the order that they came in. */
  readonly entries: readonly MeasuredEntry[]
}

/** Entries with their formation energies; refuses what has none. */
export function measureEntries(entries: readonly HullEntry[]): MeasuredEntries | HullRefusal {
  const wrong = wrongEntry(entries)
  if (wrong !== null) return wrong
  const elements = [...new Set(entries.flatMap(elementsOf))].sort()
  if (elements.length > MOST_ELEMENTS)
    return { refusal: `The entries have ${elements.length} elements; hulls are found of ${MOST_ELEMENTS} at most.` }
  const read = entries.map((entry) => perAtom(entry, elements))
  const references = elements.map((_, axis) => lowestEnergy(read.filter((entry) => isAlone(entry, axis))))
  const missing = elements.filter((_, axis) => references[axis] === undefined)
  if (missing.length > 0) return missingElements(missing)
  const measured = new Map(read.map((entry) => [entry.id, measure(entry, references)]))
  const ofId = (id: string | undefined): readonly MeasuredEntry[] => [measured.get(id ?? '') ?? []].flat()
  return {
    elements,
    references: references.flatMap((reference) => ofId(reference?.id)),
    entries: [...measured.values()],
  }
}

function elementsOf({ composition }: HullEntry): readonly string[] {
  return Object.entries(composition).flatMap(([element, amount]) => (amount > 0 ? [element] : []))
}

/** The first entry that has no place on any hull. */
function wrongEntry(entries: readonly HullEntry[]): HullRefusal | null {
  if (entries.length === 0) return { refusal: 'There are no entries.' }
  const ids = new Set<string>()
  for (const entry of entries) {
    const { id, composition, energy } = entry
    const amounts = Object.values(composition)
    const is = (what: string): HullRefusal => ({ refusal: `Entry "${id}" ${what}.`, id })
    if (ids.has(id)) return is('is there twice; give each an id of its own')
    if (!Number.isFinite(energy)) return is('has an energy that is no number')
    if (!amounts.every((amount) => Number.isFinite(amount) && amount >= 0 && amount <= LARGEST_AMOUNT))
      return is('has an amount that is no number from 0 on')
    if (elementsOf(entry).length === 0) return is('has no atoms')
    const atoms = amounts.reduce((sum, amount) => sum + amount, 0)
    if (!(Math.abs(energy / atoms) <= LARGEST_ENERGY)) return is('has an energy that no atoms have')
    ids.add(id)
  }
  return null
}

function missingElements(missing: readonly string[]): HullRefusal {
  const message = `Formation energies need an entry of each element alone; there is none of ${missing.join(', ')}.`
  return { refusal: message, missing }
}

interface EntryPerAtom {
  readonly id: string
  readonly shares: readonly number[]
  readonly amounts: readonly number[]
  readonly energy: number
}

function perAtom({ id, composition, energy }: HullEntry, elements: readonly string[]): EntryPerAtom {
  const given = elements.map((element) => (Object.hasOwn(composition, element) ? (composition[element] ?? 0) : 0))
  const atoms = given.reduce((sum, amount) => sum + amount, 0)
  return { id, shares: given.map((amount) => amount / atoms), amounts: wholeAmounts(given), energy: energy / atoms }
}

/** Tells an element alone: traces of others, which shares do not show, make a compound of it. */
function isAlone({ amounts }: EntryPerAtom, axis: number): boolean {
  return amounts.every((amount, other) => amount > 0 === (other === axis))
}

function lowestEnergy(entries: readonly EntryPerAtom[]): EntryPerAtom | undefined {
  const [first, ...others] = entries
  const isLower = (one: EntryPerAtom, other: EntryPerAtom): boolean =>
    isBefore([one.energy, one.id], [other.energy, other.id])
  return others.reduce((lowest, entry) => (lowest === undefined || isLower(entry, lowest) ? entry : lowest), first)
}

function measure(entry: EntryPerAtom, references: readonly (EntryPerAtom | undefined)[]): MeasuredEntry {
  const { id, shares, amounts, energy } = entry
  const ofElements = references.reduce(
    (sum, reference, axis) => sum + (shares[axis] ?? 0) * (reference?.energy ?? 0),
    0,
  )
  const formationEnergy = energy - ofElements
  return { id, amounts, key: amounts.join(), formationEnergy, steps: stepsOf(formationEnergy) }
}

/** Compares by a number, and what is equal in it by name. */
function isBefore([a, name]: readonly [number, string], [b, otherName]: readonly [number, string]): boolean {
  return a === b ? name < otherName : a < b
}

/** The lowest entry of each composition, in an order that follows from the compositions. */
export function lowestByComposition(entries: readonly MeasuredEntry[]): readonly MeasuredEntry[] {
  const lowest = new Map<string, MeasuredEntry>()
  for (const entry of entries) {
    const other = lowest.get(entry.key)
    if (other === undefined || isBefore([entry.steps, entry.id], [other.steps, other.id])) lowest.set(entry.key, entry)
  }
  return [...lowest.values()].sort((one, other) => compareAmounts(one.amounts, other.amounts))
}

function compareAmounts(one: readonly number[], other: readonly number[]): number {
  const axis = one.findIndex((amount, index) => amount !== other[index])
  return (one[axis] ?? 0) - (other[axis] ?? 0)
}

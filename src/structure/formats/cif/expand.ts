import { type CrystalSite, type Occupancy, PERIODIC, type ReadOptions, type StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { addToList, itemAt, type Matrix3, type Vector3 } from '../../linear-algebra.ts'
import { nearPairs, ONE_SITE_ANGSTROM, SAME_PLACE_ANGSTROM } from '../../near-pairs.ts'
import { isPartial, MOST_AT_ONE_PLACE, mayOverlap, totalAt } from '../../occupancy.ts'
import { expandSite, type SymmetryOperator } from '../../symmetry/operator.ts'
import { limitsOf } from '../common/text.ts'
import type { CifAtom } from './atoms.ts'
import { type AtomPlace, placeOf } from './special-positions.ts'

/** A place in the cell and the listed atom that it is an image of. */
interface SiteImage {
  readonly fraction: Vector3
  readonly atom: number
}

/** A little above 1 is a refinement that went a little too far, and not worth a word. */
const MOST_OCCUPANCY = 1.01
/** Beyond this it is no refinement of one atom. */
const MOST_TAKEN = 1.1
const MOST_PAIRS_PER_ATOM = 20

/** Symmetry never brings atoms as near: then the origin is another, or sites exclude each other. Atoms listed one by one may be nearer. */
export const IMPOSSIBLE_ANGSTROM = 0.5

/** All atoms of the cell, and where each listed one was taken to be. */
interface ExpandedAtoms {
  readonly images: readonly SiteImage[]
  readonly places: readonly AtomPlace[]
}

/** All atoms of the cell, before anything is said about occupancies. */
export function expandAtoms(
  atoms: readonly CifAtom[],
  operators: readonly SymmetryOperator[],
  lattice: Matrix3,
  options: ReadOptions,
): ExpandedAtoms {
  const images: SiteImage[] = []
  const places: AtomPlace[] = []
  const most = limitsOf(options).atoms
  for (const [index, atom] of atoms.entries()) {
    const place = placeOf(atom, operators, lattice)
    places.push(place)
    const all = expandSite(place.fraction, operators, lattice, place.sameSite)
    for (const fraction of all) images.push({ fraction, atom: index })
    if (images.length > most) {
      throw refusal(FORMAT_ERRORS.tooManyAtoms, `The cell has more than ${most} atoms.`, {
        hint: 'Store a smaller cell.',
      })
    }
  }
  return { images, places }
}

/** Makes sites of the images: atoms that are listed twice once, those that share a place each with its share. */
export function occupySites(
  listed: readonly CifAtom[],
  images: readonly SiteImage[],
  lattice: Matrix3,
  warnings: StructureWarning[],
): CrystalSite[] {
  const atoms = listed.map((atom) => withSaneOccupancy(atom, warnings))
  const places: CellImages = { images, lattice }
  const dropped = new Set<number>()
  for (const group of groupsWithin(SAME_PLACE_ANGSTROM, atoms.length, places)) {
    const members = group.map((index) => itemAt(atoms, index))
    if (isOneAtomTwice(members, warnings)) for (const index of group.slice(1)) dropped.add(index)
  }
  for (const group of groupsWithin(ONE_SITE_ANGSTROM, atoms.length, places)) {
    const left = group.filter((index) => !dropped.has(index))
    const members = left.map((index) => itemAt(atoms, index))
    if (members.length < 2) continue
    const shares = sharesOfSite(members, warnings)
    for (const [place, index] of left.entries()) {
      const share = shares[place]
      if (share === undefined) dropped.add(index)
      else atoms[index] = { ...itemAt(atoms, index), ...share }
    }
  }
  return images
    .filter(({ atom }) => !dropped.has(atom))
    .map(({ atom, fraction }) => siteOf(itemAt(atoms, atom), fraction))
}

function siteOf(atom: CifAtom, fraction: Vector3): CrystalSite {
  const { element, label, occupancy, disorderGroup: group, disorderAssembly: assembly, oxidationState, isotope } = atom
  return {
    element,
    fraction,
    label,
    ...(isWhole(atom) ? {} : { occurrence: fourDecimals(occupancy) }),
    ...(oxidationState === undefined ? {} : { oxidationState }),
    ...(isotope === undefined ? {} : { isotope }),
    ...(group === '' ? {} : { disorder: { assembly, group } }),
    ...(atom.moment === undefined || atom.moment.every((x) => x === 0) ? {} : { moment: atom.moment }),
  }
}

function isWhole({ occupancy }: CifAtom): boolean {
  return !isPartial({ occurrence: occupancy })
}

/** At least the smallest share that is kept. */
function fourDecimals(share: number): number {
  return Math.max(1, Math.round(share * 1e4)) / 1e4
}

/** Refinements without restraint go a little too far. */
function withSaneOccupancy(atom: CifAtom, warnings: StructureWarning[]): CifAtom {
  const { label, line, occupancy } = atom
  if (occupancy >= 0 && occupancy <= MOST_OCCUPANCY) return occupancy > 1 ? { ...atom, occupancy: 1 } : atom
  if (occupancy > MOST_OCCUPANCY && occupancy <= MOST_TAKEN) {
    const message = `${label} has the occupancy ${occupancy} and is taken as whole.`
    warnings.push({ code: 'occupancy-above-one', message, line })
    return { ...atom, occupancy: 1 }
  }
  const message = `${label} has the occupancy ${occupancy}.`
  throw refusal(FORMAT_ERRORS.malformed, message, { line, hint: 'An occupancy is between 0 and 1.' })
}

interface CellImages {
  readonly images: readonly SiteImage[]
  readonly lattice: Matrix3
}

/** The listed atoms that are so near to each other, as groups of two and more. */
function groupsWithin(distance: number, count: number, { images, lattice }: CellImages): number[][] {
  const leader = Array.from({ length: count }, (_, index) => index)
  const find = (index: number): number => {
    let root = index
    while (leader[root] !== root) {
      leader[root] = leader[leader[root] as number] as number
      root = leader[root] as number
    }
    return root
  }
  let pairs = 0
  const fractions = images.map((image) => image.fraction)
  for (const pair of nearPairs(lattice, PERIODIC, fractions, distance)) {
    const [first, second] = [
      find((images[pair.first] as SiteImage).atom),
      find((images[pair.second] as SiteImage).atom),
    ]
    leader[Math.max(first, second)] = Math.min(first, second)
    pairs++
    if (pairs > MOST_PAIRS_PER_ATOM * images.length) {
      throw refusal(FORMAT_ERRORS.overlappingSites, 'Very many of the listed atoms are at one place.', {})
    }
  }
  const groups = new Map<number, number[]>()
  for (let index = 0; index < count; index++) {
    const root = find(index)
    addToList(groups, root, index)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/** Tells whether whole atoms at one place are one that is listed more than once; alternatives are not there together. */
function isOneAtomTwice(members: readonly CifAtom[], warnings: StructureWarning[]): boolean {
  const [first, second] = members
  if (!members.every(isWhole) || new Set(members.map(({ disorderGroup }) => disorderGroup)).size > 1) return false
  const names = members.map(({ label }) => label).join(', ')
  const line = second?.line ?? 0
  if (members.some(({ element }) => element !== first?.element)) {
    const hint = 'Give the occupancy of each, or remove all but one.'
    throw refusal(FORMAT_ERRORS.overlappingSites, `${names} are different elements at one place.`, { line, hint })
  }
  warnings.push({ code: 'atom-listed-twice', message: `${names} are at one place and are taken as one atom.`, line })
  return true
}

type AtomShare = Pick<CifAtom, 'occupancy' | 'disorderGroup'>

/** The shares of the species of one site; nothing for those that another stands for. */
function sharesOfSite(members: readonly CifAtom[], warnings: StructureWarning[]): readonly (AtomShare | undefined)[] {
  const [first] = members
  const names = members.map(({ label }) => label).join(', ')
  const line = members[1]?.line ?? 0
  const sum = members.reduce((total, { occupancy }) => total + occupancy, 0)
  const isOneSpecies = members.every((atom) => speciesOf(atom) === speciesOf(first as CifAtom))
  if (isOneSpecies && !isPartial({ occurrence: sum }) && sum <= MOST_OCCUPANCY) {
    const message = `${names} share one place and make one whole ${first?.element}.`
    warnings.push({ code: 'shares-added', message, line })
    return members.map((_, index) => (index === 0 ? { occupancy: 1, disorderGroup: '' } : undefined))
  }
  const total = totalAt(members.map(asOccupancy))
  if (total <= MOST_AT_ONE_PLACE + 1e-9) return members
  const shares = members.map(({ label, occupancy }) => `${label} ${occupancy}`).join(', ')
  const made = Number(total.toFixed(4))
  if (total > MOST_TAKEN) {
    throw refusal(FORMAT_ERRORS.overlappingSites, `The occupancies of one site add up to ${made}: ${shares}.`, {
      line,
      hint: 'Occupancies of one site add up to 1 at most.',
    })
  }
  const message = `The occupancies of one site add up to ${made} and are divided by that: ${shares}.`
  warnings.push({ code: 'shares-scaled', message, line })
  return members.map(({ occupancy, disorderGroup }) => ({ occupancy: roundedDown(occupancy / total), disorderGroup }))
}

/** Four decimals that add up to no more than the numbers do. */
function roundedDown(share: number): number {
  return Math.floor(share * 1e4) / 1e4
}

function speciesOf({ element, oxidationState, isotope }: CifAtom): string {
  return `${element} ${oxidationState ?? ''} ${isotope ?? ''}`
}

function asOccupancy({ occupancy, disorderGroup: group, disorderAssembly: assembly }: CifAtom): Occupancy {
  return { occurrence: occupancy, ...(group === '' ? {} : { disorder: { assembly, group } }) }
}

/** Refuses whole atoms that symmetry brings too near, and tells of shares that are too many for where they are. */
export function checkCloseImages(sites: readonly CrystalSite[], lattice: Matrix3, warnings: StructureWarning[]): void {
  const fractions = sites.map((site) => site.fraction)
  const crowded = new Set<string>()
  for (const pair of nearPairs(lattice, PERIODIC, fractions, IMPOSSIBLE_ANGSTROM)) {
    const [one, other] = [itemAt(sites, pair.first), itemAt(sites, pair.second)]
    if (mayOverlap(one, other)) continue
    const whom = one.label === other.label ? `two images of ${one.label}` : `${one.label} and ${other.label}`
    if (isPartial(one) || isPartial(other) || isAboutSymmetry(one, other)) {
      crowded.add(`${whom} (${pair.distance.toFixed(2)} Å)`)
      continue
    }
    throw refusal(
      FORMAT_ERRORS.overlappingSites,
      `In the whole cell ${whom} are only ${pair.distance.toFixed(2)} Å apart.`,
      { hint: 'Give the operators of the origin that the coordinates refer to, or the occupancies of the sites.' },
    )
  }
  if (crowded.size === 0) return
  const list = [...crowded].slice(0, MOST_NAMES)
  const more = crowded.size > MOST_NAMES ? ` and ${crowded.size - MOST_NAMES} more` : ''
  const message = `Atoms are nearer than two can be, and their occupancies make more than one atom: ${list.join(', ')}${more}.`
  warnings.push({ code: 'shares-crowded', message })
}

const MOST_NAMES = 8

/** A group with a negative number is disordered about a special position: its images are not there together. */
function isAboutSymmetry(one: CrystalSite, other: CrystalSite): boolean {
  return one.label === other.label && (one.disorder?.group.startsWith('-') ?? false)
}

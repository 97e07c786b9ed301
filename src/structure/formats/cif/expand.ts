import { type CrystalSite, PERIODIC, type ReadOptions, type StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Matrix3, Vector3 } from '../../linear-algebra.ts'
import { nearPairs, SAME_PLACE_ANGSTROM } from '../../near-pairs.ts'
import { expandSite, type SymmetryOperator, snapThirds } from '../../symmetry/operator.ts'
import { limitsOf } from '../common/text.ts'
import type { CifAtom } from './atoms.ts'

/** A place in the cell and the listed atom that it is an image of. */
interface Image {
  readonly fraction: Vector3
  readonly atom: number
}

/** Occupancies this near to 1 are written by programs that cannot write 1. */
const FULL_TOLERANCE = 1.1e-3
/** A little above 1 is a refinement that went a little too far. */
const MOST_OCCUPANCY = 1.05
const MOST_PAIRS_PER_ATOM = 20

/**
 * Symmetry never brings two atoms as near as this: then the operators belong to another origin, or the sites are not all occupied
 * at once. Atoms that a file lists one by one are as near as it says.
 */
export const IMPOSSIBLE_ANGSTROM = 0.5

/** All atoms of the cell, before anything is said about occupancies. */
export function expandAtoms(
  atoms: readonly CifAtom[],
  operators: readonly SymmetryOperator[],
  lattice: Matrix3,
  options: ReadOptions,
): Image[] {
  const images: Image[] = []
  const most = limitsOf(options).atoms
  for (const [index, atom] of atoms.entries()) {
    const start = atom.fraction.map(snapThirds) as unknown as Vector3
    for (const fraction of expandSite(start, operators, lattice)) images.push({ fraction, atom: index })
    if (images.length > most) {
      throw refusal(FORMAT_ERRORS.tooManyAtoms, `The cell has more than ${most} atoms.`, {
        hint: 'Store a smaller cell.',
      })
    }
  }
  return images
}

/** Makes sites of the images: each place once, every place with one element; refuses disorder. */
export function occupySites(
  atoms: readonly CifAtom[],
  images: readonly Image[],
  lattice: Matrix3,
  warnings: StructureWarning[],
): CrystalSite[] {
  requireSaneOccupancies(atoms)
  const shared = groupsAtOnePlace(atoms.length, images, lattice)
  const dropped = new Set<number>()
  const partial: CifAtom[] = []
  for (const group of shared) {
    const members = group.map((index) => atoms[index] as CifAtom)
    const whole = mergeMembers(members, warnings)
    if (!whole) partial.push(...members)
    for (const index of group.slice(1)) dropped.add(index)
  }
  const grouped = new Set(shared.flat())
  partial.push(...atoms.filter((atom, index) => !grouped.has(index) && atom.occupancy < 1 - FULL_TOLERANCE))
  if (partial.length > 0) throw disordered(partial, 'partly occupied or shared')
  refuseAlternatives(atoms)
  return images
    .filter((image) => !dropped.has(image.atom))
    .map((image) => {
      const { element, label } = atoms[image.atom] as CifAtom
      return { element, fraction: image.fraction, label }
    })
}

function requireSaneOccupancies(atoms: readonly CifAtom[]): void {
  const wrong = atoms.find((atom) => atom.occupancy > MOST_OCCUPANCY || atom.occupancy < 0)
  if (wrong === undefined) return
  throw refusal(FORMAT_ERRORS.malformed, `${wrong.label} has the occupancy ${wrong.occupancy}.`, {
    line: wrong.line,
    hint: 'An occupancy is between 0 and 1.',
  })
}

/** The listed atoms that share places, as groups of two and more. */
function groupsAtOnePlace(count: number, images: readonly Image[], lattice: Matrix3): number[][] {
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
  for (const pair of nearPairs(lattice, PERIODIC, fractions, SAME_PLACE_ANGSTROM)) {
    const [first, second] = [find((images[pair.first] as Image).atom), find((images[pair.second] as Image).atom)]
    leader[Math.max(first, second)] = Math.min(first, second)
    pairs++
    if (pairs > MOST_PAIRS_PER_ATOM * images.length) {
      throw refusal(FORMAT_ERRORS.overlappingSites, 'Very many of the listed atoms are at one place.', {})
    }
  }
  const groups = new Map<number, number[]>()
  for (let index = 0; index < count; index++) {
    const root = find(index)
    const group = groups.get(root)
    if (group === undefined) groups.set(root, [index])
    else group.push(index)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/** Tells whether atoms at one place are one whole atom: one element that is listed twice, or in two shares that add up to 1. */
function mergeMembers(members: readonly CifAtom[], warnings: StructureWarning[]): boolean {
  const names = members.map((atom) => atom.label).join(', ')
  const line = members[1]?.line ?? 0
  const oneElement = members.every((atom) => atom.element === members[0]?.element)
  const allFull = members.every((atom) => atom.occupancy >= 1 - FULL_TOLERANCE)
  if (!oneElement) {
    if (allFull) {
      throw refusal(FORMAT_ERRORS.overlappingSites, `${names} are different elements at one place.`, {
        line,
        hint: 'A material has one element on every site; give occupancies or remove all but one.',
      })
    }
    return false
  }
  if (allFull) {
    warnings.push({ code: 'atom-listed-twice', message: `${names} are at one place and are taken as one atom.`, line })
    return true
  }
  const total = members.reduce((sum, atom) => sum + atom.occupancy, 0)
  if (Math.abs(total - 1) > FULL_TOLERANCE) return false
  const element = members[0]?.element
  warnings.push({ code: 'shares-added', message: `${names} share one place and make one whole ${element}.`, line })
  return true
}

/** Groups of one assembly exclude each other, even where every one of them claims to be whole. */
function refuseAlternatives(atoms: readonly CifAtom[]): void {
  const groups = new Map<string, Map<string, CifAtom>>()
  for (const atom of atoms) {
    if (atom.disorderGroup === '') continue
    const assembly = groups.get(atom.disorderAssembly) ?? new Map<string, CifAtom>()
    assembly.set(atom.disorderGroup, atom)
    groups.set(atom.disorderAssembly, assembly)
  }
  for (const assembly of groups.values()) {
    if (assembly.size > 1) throw disordered([...assembly.values()], 'in disorder groups that exclude each other')
  }
}

const MOST_NAMES = 8

function disordered(atoms: readonly CifAtom[], how: string): Error {
  const names = [...new Set(atoms.map((atom) => `${atom.label} (${atom.element} ${atom.occupancy})`))]
  const list = `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''}`
  return refusal(
    FORMAT_ERRORS.disordered,
    `The structure is disordered: ${list} ${names.length === 1 ? 'is' : 'are'} ${how}.`,
    {
      line: atoms[0]?.line ?? 1,
      hint: 'A material has one whole atom on every site; choose an ordered arrangement.',
    },
  )
}

import {
  type Crystal,
  type CrystalSite,
  describeDirections,
  isMolecule,
  repeatsInPart,
  type StructureWarning,
} from '../../crystal.ts'
import { isPartial } from '../../occupancy.ts'
import { namesIn, notWrittenWarning } from './rest.ts'

/** What sites may have beside element and place: the words by which it is told, and who has it. */
const OF_SITES = {
  moments: ['magnetic moments', ({ moment }) => moment !== undefined],
  crossMoments: ['components of magnetic moments along x and y', ({ moment: [x, y] = [0, 0] }) => x !== 0 || y !== 0],
  isotopes: ['isotopes', ({ isotope }) => isotope !== undefined],
  oxidationStates: ['oxidation states', ({ oxidationState }) => oxidationState !== undefined],
  labels: ['labels of species', ({ speciesTag }) => speciesTag !== undefined],
  fixedAtoms: ['fixed atoms', ({ movable }) => movable?.includes(true) === false],
  fixedDirections: [
    'directions in which atoms are fixed',
    ({ movable }) => movable?.includes(true) === true && movable.includes(false),
  ],
  occupancies: ['occupancies', isPartial],
  disorderGroups: ['disorder groups', ({ disorder }) => disorder !== undefined],
} as const satisfies Record<string, readonly [string, (site: CrystalSite) => boolean]>

/** What structures as a whole may have beside atoms and lattice. */
const OF_STRUCTURES = {
  title: ['the title', ({ title }) => title !== ''],
  icsdId: ['icsdId', ({ icsdId }) => icsdId !== undefined],
} as const satisfies Record<string, readonly [string, (crystal: Crystal) => boolean]>

/** Part of a structure that not every format has a place for; `molecules` and `directions` are repetition along none and along some of the lattice vectors. */
export type Quantity = keyof typeof OF_SITES | keyof typeof OF_STRUCTURES | 'molecules' | 'directions'

/** Everything that a structure may have. */
export const ALL_QUANTITIES: readonly Quantity[] = [
  ...(Object.keys(OF_SITES) as (keyof typeof OF_SITES)[]),
  ...(Object.keys(OF_STRUCTURES) as (keyof typeof OF_STRUCTURES)[]),
  'molecules',
  'directions',
]

/** A format as far as it is written. */
interface WrittenFormat {
  readonly title: string
  readonly writes?: readonly Quantity[]
}

/** Says what of a structure, and of the file that it was read from, a file of another format does not have. */
export function warningsOfWriting(crystal: Crystal, format: WrittenFormat): readonly StructureWarning[] {
  const ofFile = crystal.rest === undefined ? [] : namesIn(crystal.rest.values)
  return [...repetitionWarning(crystal, format), ...notWrittenWarning([...unwritten(crystal, format), ...ofFile])]
}

/** Quantities that the structure has and the format has no place for, with the number of sites. */
function unwritten(crystal: Crystal, { writes = [] }: WrittenFormat): readonly string[] {
  const isLost = (quantity: string): boolean => !(writes as readonly string[]).includes(quantity)
  // Where nothing of the moments is written, their components say no more.
  return [
    ...Object.entries(OF_STRUCTURES).flatMap(([name, [words, has]]) => (isLost(name) && has(crystal) ? [words] : [])),
    ...quantitiesOf(crystal)
      .filter(({ name }) => isLost(name) && !(name === 'crossMoments' && isLost('moments')))
      .map(({ words, count }) => `${words} (${count})`),
  ]
}

/** Lists the quantities that sites of a structure have beside element and place. */
export function quantitiesOf({ sites }: Pick<Crystal, 'sites'>): readonly SiteQuantity[] {
  return Object.entries(OF_SITES).flatMap(([name, [words, has]]) => {
    const count = sites.filter(has).length
    return count === 0 ? [] : [{ name, words, count }]
  })
}

/** A quantity of sites, by its name and the words by which it is told. */
export interface SiteQuantity {
  readonly name: string
  readonly words: string
  /** Number of sites that have it. */
  readonly count: number
}

/** A file of a format that has no word for it repeats along all three lattice vectors. */
function repetitionWarning(crystal: Crystal, { writes = [], title }: WrittenFormat): readonly StructureWarning[] {
  const isSaid = isMolecule(crystal) ? writes.includes('molecules') : writes.includes('directions')
  if (isSaid || !(isMolecule(crystal) || repeatsInPart(crystal))) return []
  const message = `The structure repeats ${describeDirections(crystal.periodic)}, which ${title} cannot say: the file repeats along all three lattice vectors.`
  return [{ code: 'repetition-not-written', message }]
}

import type { Crystal } from '../crystal.ts'
import type { LatticeType } from '../lattice.ts'
import type { CertainTolerances } from './certain-tolerances.ts'

/** Space group of a crystal, or the reason why none is known. */
export type SymmetryReport = FoundSymmetry | NoSymmetry

/** The space group of a crystal within a tolerance, in numbers, symbols and letters: those of its isotypes are the same. */
export interface FoundGroup {
  readonly status: 'computed'
  /** Number of the space group, 1 to 230. */
  readonly number: number
  /** Short Hermann-Mauguin symbol: `F d -3 m`. */
  readonly symbol: string
  readonly hallSymbol: string
  /** Whether the crystal as it stands is a cell of that setting: the operators of its Hall symbol are all that the crystal has. */
  readonly isStandardSetting: boolean
  /** `triclinic` to `cubic`. */
  readonly crystalSystem: string
  /** Hermann-Mauguin symbol of the point group: `m-3m`. */
  readonly pointGroup: string
  readonly latticeType: LatticeType
  readonly pearsonSymbol: string
  /** One letter per site, in the order of the sites. */
  readonly wyckoffLetters: readonly string[]
  /** Largest distance from ideal places, in ångström. */
  readonly tolerance: number
  /** The groups within other tolerances, where they were asked for and there was time. */
  readonly byTolerance?: readonly GroupWithin[]
}

/** The group of a crystal that is known by one of its isotypes. */
export interface KnownGroup extends FoundGroup {
  readonly prototypeLabel: string | null
}

/** Group that a crystal has, found or known; or the reason why none is. */
export type GroupReport = FoundSymmetry | KnownGroup | NoSymmetry

/** The symmetry of a crystal within a tolerance: its group, and how its sites follow from each other. */
export interface FoundSymmetry extends FoundGroup {
  /** Number of the setting, 1 to 530. */
  readonly hallNumber: number
  /** For every site the first site that it is equivalent to. */
  readonly equivalentTo: readonly number[]
  /** The symmetry of each site, oriented as the axes are: `.3m`. */
  readonly siteSymmetries: readonly string[]
  /** The standard cells of the space group, in which the crystal has its symmetry exactly; both are oriented alike. */
  readonly conventionalCell: Pick<Crystal, 'lattice' | 'sites'>
  readonly primitiveCell: Pick<Crystal, 'lattice' | 'sites'>
  /** For every site of the primitive cell a site of the crystal that it stands for. */
  readonly originals: readonly number[]
  /** Between these it is surely the same group. */
  readonly certain: CertainTolerances
}

/** Symmetry that was not found, for a reason that a person can read. */
export interface NoSymmetry {
  readonly status: 'not computed'
  readonly reason: string
}

/** The report of a crystal whose symmetry is not known. */
export function notComputed(reason: string): NoSymmetry {
  return { status: 'not computed', reason }
}

/** Reason where nothing looks for symmetry. */
export const SWITCHED_OFF = 'it is switched off'

/** Reason where the search was given too little of a processor. */
export const SERVER_TOO_BUSY = 'the server was too busy'

/** Reasons that say nothing about the crystal, most of them of earlier versions: another time its symmetry may be found. */
export const PASSING_REASONS: readonly string[] = [
  SERVER_TOO_BUSY,
  'the service is closed',
  'too many structures are waiting for their symmetry',
]

/** Finds the symmetry of a crystal, and where it is asked for its groups within other tolerances; takes as long as it takes. */
export type SymmetryFinder = (crystal: Crystal, wants?: { readonly ladder: true }) => SymmetryReport

/** Finds the group of a crystal and those within other tolerances, or knows it by one of its isotypes. */
export type GroupFinder = (crystal: Crystal, wants: { readonly ladder: true }) => GroupReport

/** The space group of a crystal within one of several tolerances, in ångström. */
export interface GroupWithin {
  readonly tolerance: number
  readonly number: number
  readonly symbol: string
}

/** Largest distance from where symmetry wants atoms. */
export interface SymmetryTolerance {
  /** In ångström; that of the setting where nothing is said. */
  readonly tolerance?: number | undefined
}

/** Within less, rounding is taken for disorder; within more, atoms for each other. In ångström. */
export const LEAST_TOLERANCE_ANGSTROM = 0.0001
export const MOST_TOLERANCE_ANGSTROM = 0.3

/** Distance in ångström within which atoms count as symmetric, where nothing else is asked for. */
export const DEFAULT_TOLERANCE_ANGSTROM = 0.01

import type { StructureWarning } from '../../crystal.ts'
import { ELEMENTS, isotopeMass, isotopeOfMass } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import { ANGSTROM_PER_BOHR } from '../../lattice.ts'
import type { SpeciesReading } from '../common/species.ts'
import { readType } from '../common/species.ts'
import type { NamedSpecies, SpeciesNames } from '../common/species-names.ts'
import { shorten } from '../common/text.ts'

/** Lengths in Å of the unit systems of LAMMPS; `lj` has none. */
const ANGSTROM_PER: Readonly<Record<string, number>> = {
  metal: 1,
  real: 1,
  electron: ANGSTROM_PER_BOHR,
  nano: 10,
  micro: 1e4,
  cgs: 1e8,
  si: 1e10,
}

/** The length in Å of a system of units; files that name none are in ångström, with a warning. */
export function angstromPerUnit(units: string | undefined, place: SourcePlace, warnings: StructureWarning[]): number {
  if (units === undefined) {
    const message = 'The file names no units: ångström (metal, real) is assumed.'
    warnings.push({ code: 'unit-assumed', message })
    return 1
  }
  const length = Object.hasOwn(ANGSTROM_PER, units) ? ANGSTROM_PER[units] : undefined
  if (length !== undefined) return length
  const hint = 'Known units: metal, real, electron, nano, micro, cgs, si.'
  throw refusal(FORMAT_ERRORS.notRepresentable, `The units "${shorten(units)}" have no length.`, { ...place, hint })
}

/** What a file says of a numbered type of atoms. */
export interface LammpsType {
  /** Beside its mass, or in the place of its number. */
  readonly label?: string | undefined
  /** In Da (g/mol). */
  readonly mass?: number | undefined
}

/** The species of a type: by its label where that is an element and the mass agrees, else by its mass. */
export function speciesOfType(
  type: string,
  { label, mass }: LammpsType,
  { names, place }: { readonly names: SpeciesNames; readonly place: SourcePlace },
): NamedSpecies | null {
  const element = label === undefined ? undefined : readType(label)?.element
  const agrees = typeof element === 'string' && (mass === undefined || isotopeOfMass(element, mass) === undefined)
  const ofMass = mass === undefined || agrees ? undefined : readingOfMass(mass)
  if (mass !== undefined && ofMass !== undefined) return names.take(`type ${type} (mass ${mass})`, ofMass, place)
  if (label === undefined || element === undefined) throw unknownType(type, place)
  return names.withMass(names.ofType(label, place), mass, place)
}

/** Data files round masses: 28.1, 15.9994, 1.0. */
const MASS_TOLERANCE = 0.1

/** Masses in Da of all elements, and of the isotopes of hydrogen that have names. */
const READINGS: readonly (readonly [mass: number, reading: SpeciesReading])[] = [
  ...ELEMENTS.map(({ symbol, mass }) => [mass, { element: symbol, sure: false }] as const),
  ...([2, 3] as const).map((isotope) => [isotopeMass('H', isotope), { element: 'H', sure: false, isotope }] as const),
]

function readingOfMass(mass: number): SpeciesReading | undefined {
  const [nearest] = READINGS.map(([own, reading]) => ({ reading, off: Math.abs(own - mass) })).sort(
    (one, other) => one.off - other.off,
  )
  return nearest !== undefined && nearest.off <= MASS_TOLERANCE ? nearest.reading : undefined
}

function unknownType(type: string, place: SourcePlace): Error {
  const message = `The file does not say which element the type ${shorten(type)} of its atoms is.`
  const hint =
    'Of a data file, give the section Masses with the masses of elements, or their symbols as comments (1 28.0855 # Si); of a dump, a column element (dump_modify element).'
  return refusal(FORMAT_ERRORS.unknownSpecies, message, { ...place, hint })
}

/** Tells whether masses say nothing: simulations without units give all types the mass 1. */
export function areUnitMasses(masses: readonly (number | undefined)[]): boolean {
  return masses.every((mass) => mass === 1)
}

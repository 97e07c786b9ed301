import type { StructureWarning } from '../../crystal.ts'
import { findElement } from '../../elements/element.ts'
import type { ElementCounts } from '../../formula.ts'
import { GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3, vectorsVolume } from '../../lattice.ts'
import type { Matrix3 } from '../../linear-algebra.ts'
import { HYDROGEN, sameRatios } from '../common/species.ts'
import { statedFormula } from './atoms.ts'
import { type CifBlock, findItem, readCifNumber } from './document.ts'

/** Contents of the cell that a file states beside its atoms. */
export interface StatedContents {
  /** One formula unit; empty when the file states none that can be read. */
  readonly formula: ElementCounts
  /** Mass of one formula unit in Da. */
  readonly weight: number | undefined
  /** Formula units in the cell. */
  readonly units: number | undefined
  /** In g/cm³. */
  readonly density: number | undefined
}

/** A figure that the file states, and what its atoms and operators make. */
export interface ContentsFigure {
  readonly name: 'units' | 'density'
  readonly stated: number
  readonly found: number
}

export function readStatedContents(block: CifBlock): StatedContents {
  const positive = (...tags: string[]): number | undefined => {
    const value = readCifNumber(findItem(block, tags)?.text ?? '')
    return value === undefined || value <= 0 ? undefined : value
  }
  return {
    formula: statedFormula(block),
    weight: positive('_chemical_formula_weight'),
    units: positive('_cell_formula_units_z'),
    density: positive('_exptl_crystal_density_diffrn'),
  }
}

/** A cell, and what the file says of its contents. */
interface StatedCell {
  readonly lattice: Matrix3
  readonly contents: StatedContents
}

/** The figures that can be compared for a cell in which these atoms are. */
export function compareContents(counts: ElementCounts, { lattice, contents: stated }: StatedCell): ContentsFigure[] {
  if (stated.units === undefined && stated.density === undefined) return []
  const units = unitsIn(counts, stated)
  const figures: ContentsFigure[] = []
  if (units !== undefined && stated.units !== undefined && !mayBeOfCell(stated, units)) {
    figures.push({ name: 'units', stated: stated.units, found: units })
  }
  if (stated.density !== undefined) {
    // Hydrogen that is not listed is in the density that the file states.
    const mass = units === undefined || stated.formula.size === 0 ? massOf(counts) : units * massOf(stated.formula)
    const found = (mass / vectorsVolume(lattice)) * GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3
    figures.push({ name: 'density', stated: stated.density, found })
  }
  return figures
}

/** Programs write the formula of the whole cell in the place of that of a unit, and Z beside it: then Z says nothing. */
function mayBeOfCell({ formula, units = 1 }: StatedContents, found: number): boolean {
  return (
    formula.size > 0 &&
    units > 1 &&
    Math.abs(found - 1) < 0.01 &&
    [...formula.values()].every((count) => count % units === 0)
  )
}

/** Number of the stated formula units; nothing when the elements are there in other ratios. */
function unitsIn(counts: ElementCounts, { formula, weight }: StatedContents): number | undefined {
  if (formula.size === 0) return weight === undefined ? undefined : massOf(counts) / weight
  if (!hasStatedRatios(counts, { formula })) return undefined
  const heavy = (numbers: ElementCounts): number =>
    [...numbers].reduce((sum, [element, count]) => (HYDROGEN.has(element) ? sum : sum + count), 0)
  return heavy(formula) === 0 ? undefined : heavy(counts) / heavy(formula)
}

/** Tells whether the stated elements are there in the stated ratios, hydrogen aside; not so without a formula. */
export function hasStatedRatios(counts: ElementCounts, { formula }: Pick<StatedContents, 'formula'>): boolean {
  return formula.size > 0 && (sameRatios(counts, formula) || sameRatios(counts, formula, HYDROGEN))
}

function massOf(counts: ElementCounts): number {
  return [...counts].reduce((sum, [element, count]) => sum + count * (findElement(element)?.mass ?? 0), 0)
}

/** Share by which temperature, rounding and what a refinement leaves out change a figure; missing operators change it by half at least. */
const TOLERANCE = 0.12

/** Tells whether atoms are missing, or too many, by a figure. */
export function differs({ stated, found }: ContentsFigure): boolean {
  return Math.abs(found - stated) > TOLERANCE * stated
}

/** Tells whether all that the file states of its contents is against them; what agrees speaks for a slip in the other figure. */
export function areContradicted(counts: ElementCounts, cell: StatedCell): boolean {
  const figures = compareContents(counts, cell)
  return figures.length > 0 && figures.every(differs)
}

const NAMES = { units: '_cell_formula_units_Z', density: '_exptl_crystal_density_diffrn' } as const
const CODES = { units: 'units-differ', density: 'density-differs' } as const

/** Says of figures what the file has and what its atoms make. */
export function describeFigures(figures: readonly ContentsFigure[]): string {
  return figures
    .map(({ name, stated, found }) => `${NAMES[name]} is ${stated}, but they make ${Number(found.toPrecision(4))}`)
    .join('; ')
}

export function contentsWarnings(figures: readonly ContentsFigure[]): StructureWarning[] {
  return figures.filter(differs).map((figure) => ({
    code: CODES[figure.name],
    message: `The atoms make other contents than the file states: ${describeFigures([figure])}.`,
  }))
}

import { fitsCell } from '../symmetry/expand-site.ts'
import type { Matrix3 } from '../vector.ts'
import type { CifAtom } from './cif-atoms.ts'
import { type CifBlock, findItem } from './cif-document.ts'
import { expandAtoms } from './cif-expand.ts'
import { readCifNumber } from './cif-number.ts'
import type { OperatorChoice } from './cif-symmetry.ts'
import { HYDROGEN, sameRatios } from './composition.ts'
import type { ReadOptions, StructureWarning } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'

/** What a file says beside its symbol, by which a choice of axes and origin is judged. */
export interface SettingEvidence {
  readonly atoms: readonly CifAtom[]
  readonly lattice: Matrix3
  readonly block: CifBlock
  readonly formula: ReadonlyMap<string, number>
  readonly options: ReadOptions
}

/** Of several choices of origin and axes, the first that fits the cell and gives the atoms that the formula promises. */
export function chooseOperators(
  choices: readonly OperatorChoice[],
  evidence: SettingEvidence,
  warnings: StructureWarning[],
): OperatorChoice {
  const fitting = choices.filter((choice) => fitsCell(choice.operators, evidence.lattice))
  const [first] = fitting
  if (first === undefined) throw symmetryOfAnotherCell(choices[0] as OperatorChoice)
  if (first.otherAxes) {
    warnings.push({ code: 'axes-differ', message: `The cell has the axes of ${first.source}, which are taken.` })
  }
  if (fitting.length === 1) return first
  const agreeing = fitting.find((choice) => hasStatedContents(choice, evidence))
  const chosen = agreeing ?? first
  const why = agreeing === undefined ? 'is assumed' : 'is taken, because it agrees with the formula'
  warnings.push({
    code: 'setting-assumed',
    message: `The file does not say which setting it uses: ${chosen.source} ${why}.`,
  })
  return chosen
}

function symmetryOfAnotherCell({ source }: OperatorChoice): Error {
  return refusal(FORMAT_ERRORS.malformed, `The cell does not have the symmetry of ${source}: one of them is wrong.`, {
    hint: 'Correct the lengths and angles of the cell, or the space group.',
  })
}

/** Tells whether the expanded cell has the ratios of the stated formula and, where the file counts them, as many units. */
function hasStatedContents(
  choice: OperatorChoice,
  { atoms, lattice, block, formula, options }: SettingEvidence,
): boolean {
  if (formula.size === 0) return false
  const counts = new Map<string, number>()
  for (const image of expandAtoms(atoms, choice.operators, lattice, options)) {
    const { element, occupancy } = atoms[image.atom] as CifAtom
    counts.set(element, (counts.get(element) ?? 0) + occupancy)
  }
  if (!sameRatios(counts, formula) && !sameRatios(counts, formula, HYDROGEN)) return false
  const units = readCifNumber(findItem(block, ['_cell_formula_units_z'])?.text ?? '')
  // Hydrogen atoms are left out of many files.
  const total = (numbers: ReadonlyMap<string, number>): number =>
    [...numbers].reduce((sum, [element, count]) => (element === 'H' ? sum : sum + count), 0)
  return units === undefined || Math.abs(total(counts) - units * total(formula)) < 0.01 * total(counts)
}

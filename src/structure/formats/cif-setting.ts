import type { ElementCounts } from '../formula.ts'
import { fitsCell } from '../symmetry/expand-site.ts'
import { itemAt } from '../symmetry/item-at.ts'
import type { Matrix3 } from '../vector.ts'
import type { CifAtom } from './cif-atoms.ts'
import { compareContents, differs, hasStatedRatios, type StatedContents } from './cif-contents.ts'
import { expandAtoms } from './cif-expand.ts'
import type { OperatorChoice } from './cif-symmetry.ts'
import type { ReadOptions, StructureWarning } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'

/** What a file says beside its symmetry, by which a choice of operators is judged. */
export interface SettingEvidence {
  readonly atoms: readonly CifAtom[]
  readonly lattice: Matrix3
  readonly contents: StatedContents
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
  const why = agreeing === undefined ? 'is assumed' : 'is taken, because it agrees with the stated contents'
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

/** Tells whether the operators make the contents that the file states; not so where it states nothing. */
function hasStatedContents(choice: OperatorChoice, evidence: SettingEvidence): boolean {
  const { formula } = evidence.contents
  const counts = countImages(choice, evidence)
  const figures = compareContents(counts, evidence)
  const isComparable = formula.size === 0 ? figures.length > 0 : hasStatedRatios(counts, evidence.contents)
  return isComparable && !figures.some(differs)
}

/** What the operators make of the atoms, shares of atoms included, before anything is said about disorder. */
export function countImages(
  { operators }: OperatorChoice,
  { atoms, lattice, options }: SettingEvidence,
): ElementCounts {
  const counts = new Map<string, number>()
  for (const image of expandAtoms(atoms, operators, lattice, options)) {
    const { element, occupancy } = itemAt(atoms, image.atom)
    counts.set(element, (counts.get(element) ?? 0) + occupancy)
  }
  return counts
}

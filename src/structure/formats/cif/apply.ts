import type { CrystalSite, ReadOptions, StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { countAtoms, type ElementCounts } from '../../formula.ts'
import { itemAt, type Matrix3 } from '../../linear-algebra.ts'
import {
  fitsCell,
  OperatorSet,
  type Product,
  printOperator,
  productOutside,
  type SymmetryOperator,
} from '../../symmetry/operator.ts'
import type { CifAtom } from './atoms.ts'
import {
  areContradicted,
  compareContents,
  contentsWarnings,
  describeFigures,
  differs,
  hasStatedRatios,
  type StatedContents,
} from './contents.ts'
import { expandAtoms, occupySites } from './expand.ts'
import { warningsOfMoved } from './special-positions.ts'
import { areThoseOf, type ListedOperators, NO_SYMMETRY, type OperatorChoice, type StatedSymmetry } from './symmetry.ts'

/** Data of a file beside its symmetry, by which operators are judged. */
export interface SettingEvidence {
  readonly atoms: readonly CifAtom[]
  readonly lattice: Matrix3
  readonly contents: StatedContents
  readonly options: ReadOptions
}

/** First choice of origin and axes that fits the cell, preferably one that gives the stated contents. */
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
  const message = `The file does not say which setting it uses: ${chosen.source} ${why}.`
  warnings.push({ code: 'setting-assumed', message })
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

/** Contents that the operators make of the atoms, shares included, before anything is said about disorder. */
export function countImages(
  { operators }: OperatorChoice,
  { atoms, lattice, options }: SettingEvidence,
): ElementCounts {
  const counts = new Map<string, number>()
  for (const image of expandAtoms(atoms, operators, lattice, options).images) {
    const { element, occupancy } = itemAt(atoms, image.atom)
    counts.set(element, (counts.get(element) ?? 0) + occupancy)
  }
  return counts
}

/** The atoms of the whole cell, and what made them of the listed ones. */
export interface WholeCell {
  readonly sites: readonly CrystalSite[]
  readonly counts: ElementCounts
  readonly choice: OperatorChoice
  readonly warnings: readonly StructureWarning[]
}

/** Takes the listed operators, unless they are no group or make other contents than stated: then the named group, or a refusal. */
export function applySymmetry({ listed, named }: StatedSymmetry, evidence: SettingEvidence): WholeCell {
  if (listed === undefined) return applyNamed(named, evidence)
  const isNamed = named.some((choice) => areThoseOf(listed, choice))
  const outside = isNamed ? undefined : productOutside(listed.operators)
  if (outside !== undefined) return applyInPlaceOf(listed, outside, named, evidence)
  const whole = expand([listed], evidence)
  if (!areContradicted(whole.counts, evidence))
    return withWarnings(whole, evidence, isNamed ? [] : ofOtherOrder(listed, named))
  const better = isNamed ? undefined : named.find((choice) => explains(choice, evidence))
  if (better !== undefined) return expand([better], evidence, [incomplete(whole, better, evidence)])
  // A figure may be a slip where operators and name agree; two that are wrong in the same way are none.
  const mayBeSlip = isNamed || named.length === 0
  refuseOtherContents(whole, evidence, mayBeSlip ? 2 : 1)
  return withWarnings(whole, evidence, isNamed ? [] : ofOtherOrder(listed, named))
}

function applyNamed(named: readonly OperatorChoice[], evidence: SettingEvidence): WholeCell {
  const whole = named.length === 0 ? expand([NO_SYMMETRY], evidence, [NOTHING_SAID]) : expand(named, evidence)
  if (areContradicted(whole.counts, evidence)) refuseOtherContents(whole, evidence, 2)
  return withWarnings(whole, evidence, [])
}

const NOTHING_SAID: StructureWarning = {
  code: 'no-symmetry',
  message: 'The file says nothing about symmetry: only the listed atoms are taken.',
}

/** Takes the named group in the place of operators that are none, when most of them are its own. */
function applyInPlaceOf(
  listed: ListedOperators,
  { first, second, product }: Product,
  named: readonly OperatorChoice[],
  evidence: SettingEvidence,
): WholeCell {
  const [after, before, made] = [second, first, product].map(printOperator)
  const explaining = named.filter((choice) => {
    const strangers = strangersTo(choice, listed)
    if (2 * strangers.length >= listed.operators.length || !fits(choice, evidence)) return false
    return !areContradicted(countImages(choice, evidence), evidence)
  })
  if (explaining.length === 0) {
    throw refusal(
      FORMAT_ERRORS.unknownSpaceGroup,
      `The listed operators are no group: ${after} after ${before} makes ${made}, which is not listed.`,
      { line: listed.line, hint: 'Correct the list, or leave it out and name the space group.' },
    )
  }
  const whole = expand(explaining, evidence)
  const strangers = strangersTo(whole.choice, listed).map(printOperator)
  const why =
    strangers.length === 0
      ? `${after} after ${before} is not listed`
      : `${strangers.slice(0, MOST_NAMED).join(' and ')} ${strangers.length === 1 ? 'is' : 'are'} none of ${whole.choice.source}`
  const message = `The listed operators are no group (${why}): those of ${whole.choice.source} are taken.`
  return withWarnings(whole, evidence, [{ code: 'operators-no-group', message, line: listed.line }])
}

const MOST_NAMED = 3

/** The listed operators that a group does not have. */
function strangersTo(choice: OperatorChoice, { operators }: ListedOperators): SymmetryOperator[] {
  const own = new OperatorSet(choice.operators)
  return operators.filter((operator) => own.find(operator) === undefined)
}

/** Tells whether a group makes what the listed operators do not. */
function explains(choice: OperatorChoice, evidence: SettingEvidence): boolean {
  if (!fits(choice, evidence)) return false
  const figures = compareContents(countImages(choice, evidence), evidence)
  return figures.length > 0 && !figures.some(differs)
}

function fits({ operators }: OperatorChoice, { lattice }: SettingEvidence): boolean {
  return fitsCell(operators, lattice)
}

function expand(
  choices: readonly OperatorChoice[],
  evidence: SettingEvidence,
  before: readonly StructureWarning[] = [],
): WholeCell {
  const { atoms, lattice, options } = evidence
  const warnings = [...before]
  const choice = chooseOperators(choices, evidence, warnings)
  const { images, places } = expandAtoms(atoms, choice.operators, lattice, options)
  warnings.push(...warningsOfMoved(atoms, places))
  const sites = occupySites(atoms, images, lattice, warnings)
  return { sites, counts: countAtoms(sites), choice, warnings }
}

function withWarnings(whole: WholeCell, evidence: SettingEvidence, more: readonly StructureWarning[]): WholeCell {
  const figures = compareContents(whole.counts, evidence)
  return { ...whole, warnings: [...more, ...whole.warnings, ...contentsWarnings(figures)] }
}

/** Refuses contents against which so many figures speak; where elements are missing, the file lists too few atoms and says so itself. */
function refuseOtherContents(whole: WholeCell, evidence: SettingEvidence, least: number): void {
  const figures = compareContents(whole.counts, evidence)
  if (figures.length < least || !hasStatedRatios(whole.counts, evidence.contents)) return
  throw refusal(
    FORMAT_ERRORS.inconsistentCounts,
    `The atoms and ${whole.choice.source} make other contents than the file states: ${describeFigures(figures)}.`,
    { hint: 'List all operators of the space group, and all atoms of its asymmetric unit.' },
  )
}

function incomplete(whole: WholeCell, better: OperatorChoice, evidence: SettingEvidence): StructureWarning {
  const figures = describeFigures(compareContents(whole.counts, evidence))
  const message = `The listed operators make too few or too many atoms (${figures}): those of ${better.source}, which make what is stated, are taken.`
  return { code: 'operators-incomplete', message }
}

/** The listed operators are taken when they are a group; a name of a group of another size is worth a word. */
function ofOtherOrder(listed: ListedOperators, named: readonly OperatorChoice[]): readonly StructureWarning[] {
  const [first] = named
  const count = listed.operators.length
  if (first === undefined || named.some(({ operators }) => operators.length === count)) return []
  const message = `${count} symmetry operators are listed, but ${first.source} has ${first.operators.length}; the listed ones are taken.`
  return [{ code: 'operators-differ', message }]
}

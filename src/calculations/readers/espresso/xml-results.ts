import { EV_PER_HARTREE, KBAR_PER_EV_PER_ANGSTROM3 } from '../../../page/units.ts'
import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { length, type Matrix3, mapMatrix, scale, transpose, type Vector3 } from '../../../structure/linear-algebra.ts'
import { ofSites, type Result, scalar } from '../../calculation.ts'
import { contributionName, contributionsResult } from './energies.ts'
import { rowsOfThree, vectorIn } from './xml-atoms.ts'
import { numbersIn, type XmlElement } from './xml-tree.ts'

const EV_PER_ANGSTROM = EV_PER_HARTREE / ANGSTROM_PER_BOHR
const KBAR = (EV_PER_HARTREE / ANGSTROM_PER_BOHR ** 3) * KBAR_PER_EV_PER_ANGSTROM3

/** Terms of the energy that are read. */
const MOST_TERMS = 100

/** Numbers of an element `total_energy`, by their names. */
export function termsIn(section: XmlElement | undefined): ReadonlyMap<string, number> {
  const terms = new Map<string, number>()
  for (const { name, text } of section?.children.slice(0, MOST_TERMS) ?? []) {
    const [value, ...more] = numbersIn(text) ?? []
    if (value !== undefined && more.length === 0) terms.set(name, value)
  }
  return terms
}

/** The total energy and what it is made of, of the last structure that has results; what the output has of another one stays in the rest. */
export function energyResults(output: XmlElement | undefined, { terms: ofStep }: LastStep | NoStep): readonly Result[] {
  const section = output?.peek('total_energy')
  const given = termsIn(section)
  // The terms that a step does not list do not change when the potential of the next one is guessed.
  const terms = new Map([...given, ...(ofStep ?? [])])
  const total = terms.get('etot')
  if (total === undefined) return []
  const contributions = new Map<string, number>()
  for (const [name, value] of terms) {
    if (given.get(name) === value) section?.take(name)
    if (name !== 'etot') contributions.set(contributionName(name), value * EV_PER_HARTREE)
  }
  return [scalar('total_energy', total * EV_PER_HARTREE, 'eV'), ...contributionsResult(contributions)]
}

/** What the last step has, where the output is that of the next one or has not come. */
export interface LastStep {
  readonly terms: ReadonlyMap<string, number>
  readonly forces: readonly Vector3[] | null
}

/** Nothing: the output has its own. */
export interface NoStep {
  readonly terms: null
  readonly forces: null
}

/** Forces on the atoms of the last structure that has results. */
export function forceResults(
  output: XmlElement | undefined,
  step: LastStep | NoStep,
  sites: number,
): readonly Result[] {
  const given = rowsOfThree(output?.peek('forces')?.text)
  const forces = step.forces ?? given
  if (forces === null || forces.length !== sites) return []
  const isSame = given?.every((row, index) => row.every((entry, axis) => entry === forces[index]?.[axis])) === true
  if (isSame) output?.take('forces')
  const values = forces.map((force) => scale(force, EV_PER_ANGSTROM))
  return [ofSites('atomic_forces', values, 'eV/angstrom')]
}

/** The stress with the sign of the pressure, as pw.x prints it, and the pressure, which is a third of its trace. */
export function stressResults(output: XmlElement | undefined): readonly Result[] {
  const stress = stressIn(output?.peek('stress'))
  if (stress === null) return []
  output?.take('stress')
  const value = mapMatrix(stress, (entry) => entry * KBAR)
  const pressure = (value[0][0] + value[1][1] + value[2][2]) / 3
  return [scalar('pressure', pressure, 'kbar'), { name: 'stress_tensor', data: { value, units: 'kbar' } }]
}

/** Fortran writes a matrix column after column, which the file says with `order`. */
function stressIn(element: XmlElement | undefined): Matrix3 | null {
  const [a, b, c, ...more] = rowsOfThree(element?.text) ?? []
  if (a === undefined || b === undefined || c === undefined || more.length > 0) return null
  const rows: Matrix3 = [a, b, c]
  return /^f$/i.test(element?.attributes.get('order')?.trim() ?? 'F') ? transpose(rows) : rows
}

/** Moments of all atoms together, and of each; a total that is a vector is given by its length, and stays in the rest. */
export function magneticResults(output: XmlElement | undefined, sites: number): readonly Result[] {
  const section = output?.peek('magnetization')
  if (section === undefined) return []
  const results: Result[] = []
  const vector = vectorIn(section.peek('total_vec')?.text)
  if (vector !== null) results.push(scalar('total_magnetization', length(vector), 'uB'))
  // Some versions write 0 for the total of moments that have directions.
  else if (section.peek('lsda')?.text.trim() === 'true') {
    const total = section.takeNumber('total')
    if (total !== undefined) results.push(scalar('total_magnetization', total, 'uB'))
  }
  for (const name of ['Scalar_Site_Magnetic_Moments', 'Site_Magnetizations']) {
    const moments = momentsIn(section.peek(name))
    if (moments.length !== sites || moments.includes(null)) continue
    for (const moment of section.peek(name)?.children ?? []) moment.text = ''
    results.push(ofSites('magnetic_moments', moments, 'uB'))
  }
  return results
}

function momentsIn(section: XmlElement | undefined): readonly (number | Vector3 | null)[] {
  return (section?.children ?? []).map(({ text }, index) => {
    const numbers = numbersIn(text) ?? []
    const isNext = section?.children[index]?.attributes.get('atom')?.trim() === String(index + 1)
    if (!isNext) return null
    return numbers.length === 1 ? (numbers[0] ?? null) : vectorIn(text)
  })
}

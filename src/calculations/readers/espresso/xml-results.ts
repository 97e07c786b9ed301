import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { length, type Matrix3, mapMatrix, scale, transpose, type Vector3 } from '../../../structure/linear-algebra.ts'
import { ofSites, type Result, scalar } from '../../calculation.ts'
import { EV_PER_HARTREE, KBAR_PER_EV_PER_ANGSTROM3 } from '../../units.ts'
import { contributionName, contributionsResult } from './energies.ts'
import { rowsOfThree, vectorIn } from './xml-atoms.ts'
import { numbersIn, type XmlElement } from './xml-tree.ts'

const EV_PER_ANGSTROM = EV_PER_HARTREE / ANGSTROM_PER_BOHR
const KBAR = (EV_PER_HARTREE / ANGSTROM_PER_BOHR ** 3) * KBAR_PER_EV_PER_ANGSTROM3

/** Terms of the energy that are read. */
const MOST_TERMS = 100

/** The total energy and what it is made of. */
export function energyResults(output: XmlElement | undefined): readonly Result[] {
  const section = output?.peek('total_energy')
  const total = section?.takeNumber('etot')
  if (section === undefined || total === undefined) return []
  const contributions = new Map<string, number>()
  for (const { name } of section.children.slice(0, MOST_TERMS)) {
    const value = section.takeNumber(name)
    if (value !== undefined) contributions.set(contributionName(name), value * EV_PER_HARTREE)
  }
  return [scalar('total_energy', total * EV_PER_HARTREE, 'eV'), ...contributionsResult(contributions)]
}

/** Forces and stress; the stress has the sign of the pressure, as pw.x prints it, and the pressure is a third of its trace. */
export function forceResults(output: XmlElement | undefined, sites: number): readonly Result[] {
  const results: Result[] = []
  const forces = rowsOfThree(output?.peek('forces')?.text)
  if (forces !== null && forces.length === sites) {
    output?.take('forces')
    const values = forces.map((force) => scale(force, EV_PER_ANGSTROM))
    results.push(ofSites('atomic_forces', values, 'eV/angstrom'))
  }
  const stress = stressIn(output?.peek('stress'))
  if (stress !== null) {
    output?.take('stress')
    const value = mapMatrix(stress, (entry) => entry * KBAR)
    const pressure = (value[0][0] + value[1][1] + value[2][2]) / 3
    results.push(scalar('pressure', pressure, 'kbar'), { name: 'stress_tensor', data: { value, units: 'kbar' } })
  }
  return results
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

import { determinant } from '../linear-algebra.ts'
import type { BuildStep, StrainTerms, SubstitutionTerms } from './build-step.ts'
import { planeText } from './lattice-plane.ts'
import { supercellMatrix } from './supercell.ts'

/** Name of an operation, as records tell what they were made with. */
export function operationOf(step: BuildStep): string {
  if ('standardCell' in step) return `${step.standardCell.cell} cell`
  if ('ordered' in step) return 'ordered approximant'
  return Object.keys(step)[0] ?? ''
}

/** Says in a few words what a step does, for the name of what is built: `supercell 2x2x1`, `slab (1 1 0)`. */
export function describeStep(step: BuildStep): string {
  if ('supercell' in step) {
    const { supercell } = step
    if ('size' in supercell) return `supercell ${supercell.size.join('x')}`
    return `supercell of ${Math.round(determinant(supercellMatrix(supercell)))} cells`
  }
  if ('slab' in step) return `slab ${planeText(step.slab.miller)}`
  if ('substitution' in step) return describeSubstitution(step.substitution)
  if ('vacancy' in step) return countOf(step.vacancy.sites, ['vacancy', 'vacancies'])
  if ('strain' in step) return describeStrain(step.strain)
  return operationOf(step)
}

function describeSubstitution(terms: SubstitutionTerms): string {
  const where = terms.sites === undefined ? '' : ` at ${countOf(terms.sites, ['site', 'sites'])}`
  if ('with' in terms) return `${terms.with}${where}`
  const pairs = Object.entries(terms.elements).map(([element, other]) => `${other} for ${element}`)
  return `${pairs.join(', ')}${where}`
}

function countOf(sites: readonly number[], [one, many]: readonly [string, string]): string {
  return sites.length === 1 ? `1 ${one}` : `${sites.length} ${many}`
}

function describeStrain(terms: StrainTerms): string {
  return 'percent' in terms ? `strain ${terms.percent} %` : 'strain'
}

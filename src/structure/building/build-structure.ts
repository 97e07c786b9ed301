import { AppError } from '../../kernel/errors.ts'
import { type OrderedTerms, orderedApproximant } from '../chemistry/ordered-approximant.ts'
import type { Crystal } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { quantitiesOf } from '../formats/common/quantities.ts'
import { isDisordered } from '../occupancy.ts'
import { standardCellOf } from '../symmetry/standard-cell.ts'
import { SWITCHED_OFF, type SymmetryReport } from '../symmetry/symmetry-report.ts'
import type { BuildStep, StandardCellTerms } from './build-step.ts'
import { cannotBuild, requirePeriodic } from './refusals.ts'
import { type SlabReport, slabOf } from './slab.ts'
import { strainOf } from './strain.ts'
import { substitutionOf } from './substitution.ts'
import { supercellOf } from './supercell.ts'
import { vacancyOf } from './vacancy.ts'

/** Surroundings of a build. */
export interface BuildTools {
  /** Most sites of a structure on the way. */
  readonly mostSites: number
  /** Finds the symmetry of a crystal within a tolerance in Å; undefined where nothing looks for it. */
  readonly symmetryOf: (crystal: Crystal, tolerance: number | undefined) => SymmetryReport | undefined
}

/** Outcome of one step. */
export interface StepReport extends Partial<Omit<SlabReport, 'termination'>> {
  /** Its name. */
  readonly step: string
  /** Sites of the structure after it. */
  readonly sites: number
  readonly termination?: number
}

/** A structure that was built, and how. */
export interface BuiltStructure {
  readonly crystal: Crystal
  readonly steps: readonly StepReport[]
}

/** Applies steps to a crystal, one after the other. What a step refuses names its place, as `steps[1].slab.miller`. */
export function buildStructure(crystal: Crystal, steps: readonly BuildStep[], tools: BuildTools): BuiltStructure {
  let built: BuiltStructure = { crystal, steps: [] }
  for (const [index, step] of steps.entries()) {
    const { crystal: next, report } = atStep(index, () => applyStep(built.crystal, step, tools))
    built = { crystal: next, steps: [...built.steps, { step: nameOfStep(step), sites: next.sites.length, ...report }] }
  }
  return built
}

/** The name of a step: the one field that it has. */
export function nameOfStep(step: BuildStep): string {
  return Object.keys(step)[0] ?? ''
}

interface Applied {
  readonly crystal: Crystal
  readonly report?: SlabReport
}

function applyStep(crystal: Crystal, step: BuildStep, tools: BuildTools): Applied {
  if ('supercell' in step) return { crystal: supercellOf(crystal, step.supercell, tools.mostSites) }
  if ('standardCell' in step) return { crystal: inStandardCell(crystal, step.standardCell, tools) }
  if ('slab' in step) return slabOf(crystal, step.slab, tools.mostSites)
  if ('substitution' in step) return { crystal: substitutionOf(crystal, step.substitution) }
  if ('vacancy' in step) return { crystal: vacancyOf(crystal, step.vacancy) }
  if ('ordered' in step) return { crystal: inOrder(crystal, step.ordered) }
  return { crystal: strainOf(crystal, step.strain) }
}

/** Writes a crystal in a standard cell: its atoms, idealised to its symmetry. What belongs to single atoms is left out, which a warning says. Refuses a crystal whose symmetry is not found. */
function inStandardCell(crystal: Crystal, { cell, tolerance }: StandardCellTerms, tools: BuildTools): Crystal {
  const found = tools.symmetryOf(crystal, tolerance)
  if (found?.status !== 'computed') {
    const message = `The ${cell} cell follows from the symmetry, which was not computed: ${found?.reason ?? SWITCHED_OFF}.`
    throw refusal(FORMAT_ERRORS.noSymmetry, message, { path: 'standardCell' })
  }
  const standard: Crystal = { ...crystal, ...standardCellOf(found, cell) }
  const kept = quantitiesOf(standard).map(({ words }) => words)
  const lost = quantitiesOf(crystal).filter(({ words }) => !kept.includes(words))
  if (lost.length === 0) return standard
  const list = lost.map(({ words, count }) => `${words} (${count})`).join(', ')
  const warning = { code: 'left-out', message: `The ${cell} cell has the atoms alone. Left out: ${list}.` }
  return { ...standard, warnings: [...standard.warnings, warning] }
}

/** Orders a disordered crystal; refuses one that is in order. */
function inOrder(crystal: Crystal, terms: OrderedTerms): Crystal {
  if (terms.how === 'supercell') requirePeriodic(crystal, 'ordered supercell', 'ordered')
  if (isDisordered(crystal)) return { ...orderedApproximant(crystal, terms), title: crystal.title }
  throw cannotBuild('Every site of the structure has one whole atom.', 'Leave the step out.', 'ordered')
}

/** Says of what a step refuses which one it is. */
function atStep<Output>(index: number, run: () => Output): Output {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { path } = error.data
    const place = `steps[${index}]${path === undefined ? '' : `.${path}`}`
    throw new AppError(error.spec, `Step ${index + 1}: ${error.message}`, { ...error.data, path: place })
  }
}

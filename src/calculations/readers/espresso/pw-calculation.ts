import type { Crystal, StructureWarning } from '../../../structure/crystal.ts'
import { shorten } from '../../../structure/formats/common/text.ts'
import { length } from '../../../structure/linear-algebra.ts'
import { type Calculation, type Conditions, type Model, ofSites, type Result, scalar } from '../../calculation.ts'
import { fittingResults } from '../../remainder.ts'
import { crystalOfOutput, type OutputAtoms } from './atoms.ts'
import { bandGaps, bandStructure } from './bands.ts'
import { contributionsResult } from './energies.ts'
import { modelNamed } from './functional.ts'
import type { Filled, PwLevels } from './pw-levels.ts'
import type { PwState } from './pw-state.ts'
import type { PwStep } from './pw-steps.ts'

/** Makes the calculation of a run, when its last line is read. */
export function calculationOfRun(state: PwState): Calculation {
  const { remainder, limits, isWhole } = state
  const warnings: StructureWarning[] = []
  if (!isWhole) {
    const message = 'The output has no end (JOB DONE): what is there is read.'
    warnings.push({ code: 'output-truncated', message })
  }
  const step = state.steps.end()
  const [initial, final] = crystalsOf(state, step)
  const sites = final?.sites.length ?? 0
  const results = [
    ...energyResults(step, warnings),
    ...forceResults(step, sites),
    ...magneticResults(step, sites, state),
    ...levelResults(step, state, warnings),
    ...state.steps.convergence,
  ]
  for (const [name, energy] of step.edges) remainder.say(`${name} (eV)`, energy)
  const { elements } = state.structure
  if (elements.size > 0) remainder.leaveOut(`valences and masses of species (${elements.size} × 2)`)
  if (state.head.points !== null) remainder.leaveOut(`weights of k-points (${state.head.points.points.length})`)
  const model = modelOf(state, warnings)
  const fitting = fittingResults(results, limits, remainder)
  return {
    code: { name: 'espresso', version: state.version },
    initial,
    final,
    model,
    method: state.head.method,
    inputs: {},
    times: state.times,
    isWhole,
    isConverged: convergenceOf(state),
    conditions: {
      isDynamics: state.isMolecularDynamics,
      areElectronsLeft: state.isElectronsConverged === false,
      ...chargeOf(state),
    },
    results: fitting,
    rest: remainder.rest(sites),
    warnings: [...warnings, ...state.unread.warnings],
  }
}

function crystalsOf({ initial, structure, limits }: PwState, step: PwStep): readonly [Crystal | null, Crystal | null] {
  const crystal = (atoms: OutputAtoms | null): Crystal | null =>
    atoms === null ? null : crystalOfOutput(atoms, structure, limits)
  const last = crystal(step.atoms)
  return [initial === step.atoms ? last : crystal(initial), last]
}

/** What the electrons of the neutral atoms are more than those of the run; nothing where the head does not say both. */
function chargeOf({ head, structure, initial }: PwState): Conditions {
  const neutral = (initial?.atoms ?? []).reduce(
    (sum, { label }) => sum + (structure.valences.get(label) ?? Number.NaN),
    0,
  )
  return head.electrons === null || initial === null || !Number.isFinite(neutral)
    ? {}
    : { charge: neutral - head.electrons }
}

function convergenceOf(state: PwState): boolean | null {
  if (state.isLevelsOnly) return null
  const said = [state.isElectronsConverged, state.isAtomsConverged]
  if (said.includes(false)) return false
  // A relaxation that has begun has not converged before it says so.
  if (!state.isMolecularDynamics && state.isAtomsConverged === null && state.isMoved) return null
  return said.includes(true) ? true : null
}

function energyResults(step: PwStep, warnings: StructureWarning[]): readonly Result[] {
  if (step.energy === null) return []
  if (step.isRepeated) {
    const message = 'The results are those of the last scf, with the plane waves of the relaxed cell.'
    warnings.push({ code: 'final-scf', message, severity: 'info' })
  }
  return [
    scalar('total_energy', step.energy, 'eV'),
    ...contributionsResult(step.contributions),
    ...(step.fermi === null ? [] : [scalar('fermi_energy', step.fermi, 'eV')]),
  ]
}

/** Forces and stress; the stress has the sign of the pressure, as pw.x prints it, and the total force is the one that it prints. */
function forceResults({ forces, totalForce, stress, pressure }: PwStep, sites: number): readonly Result[] {
  return [
    ...(forces?.length === sites ? [ofSites('atomic_forces', forces, 'eV/angstrom')] : []),
    ...(totalForce === null ? [] : [scalar('total_force', totalForce, 'eV/angstrom')]),
    ...(pressure === null ? [] : [scalar('pressure', pressure, 'kbar')]),
    ...(stress === null ? [] : [{ name: 'stress_tensor', data: { value: stress, units: 'kbar' } }]),
  ]
}

/** Moments; a total that is a vector is given by its length, and stays in the rest. */
function magneticResults(step: PwStep, sites: number, { remainder }: PwState): readonly Result[] {
  const { magnetization, moments, absoluteMagnetization } = step
  const [x, y, z] = magnetization
  if (absoluteMagnetization !== null) remainder.say('absolute magnetization', absoluteMagnetization)
  if (y !== undefined && magnetization.length === 3) remainder.say('total magnetization', magnetization)
  // Of an output that was cut, some may be missing.
  const listed = moments.filter((moment) => moment !== undefined)
  return [
    ...(x === undefined ? [] : [scalar('total_magnetization', y === undefined ? x : length([x, y, z ?? 0]), 'uB')]),
    ...(sites > 0 && listed.length === sites ? [ofSites('magnetic_moments', listed, 'uB')] : []),
  ]
}

/** Gaps, and energies along a line of k-points: calculations of levels that say no Fermi energy are such. */
function levelResults(
  { levels, fermi, energy }: PwStep,
  state: PwState,
  warnings: StructureWarning[],
): readonly Result[] {
  const results: Result[] = energy === null && fermi !== null ? [scalar('fermi_energy', fermi, 'eV')] : []
  if (levels.count === 0) return results
  const filled = filledOf(state, levels)
  const bands = levels.bands(state.head.points, filled ?? { bands: 0 })
  const what = `levels (${levels.numbers} at ${levels.count} k-points)`
  if (bands === null) {
    if (levels.isBroken || !state.isWhole) {
      warnings.push({ code: 'bands-not-read', message: 'The levels are not whole: they are left out.' })
    }
    state.remainder.leaveOut(what)
    return results
  }
  const gaps = filled === null ? null : bandGaps(bands)
  if (gaps !== null) results.push(gaps)
  const isLine = state.isLevelsOnly && state.isWhole && levels.filled === null
  const line = isLine ? bandStructure(bands) : null
  if (line !== null) results.push(line)
  else state.remainder.leaveOut(what)
  return results
}

/** What is occupied: up to the energies that are said, else, of an insulator, as many levels as the electrons need. */
function filledOf({ head, isLevelsOnly }: PwState, levels: PwLevels): Filled | null {
  if (levels.filled !== null) return { energies: levels.filled }
  const { electrons, isNoncollinear, hasSmearing } = head
  if (!isLevelsOnly || electrons === null || hasSmearing || levels.areOfSpins) return null
  const bands = isNoncollinear ? electrons : electrons / 2
  return Number.isInteger(bands) ? { bands } : null
}

function modelOf({ head, steps }: PwState, warnings: StructureWarning[]): Model | null {
  const { functional, numbers } = head
  if (functional === null) return null
  const hasU = head.hasHubbardU || steps.last?.contributions.has('hubbard') === true
  const model = modelNamed(functional, numbers, hasU)
  if (model === null) {
    const message = `The functional "${shorten(functional)}" is not known.`
    warnings.push({ code: 'functional-unknown', message })
  }
  return model
}

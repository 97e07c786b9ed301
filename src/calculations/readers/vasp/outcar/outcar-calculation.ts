import { isJsonArray, type Json, type JsonObject, ownField } from '../../../../kernel/json.ts'
import { fractionsOf } from '../../../../structure/cell.ts'
import type { Rest, StructureWarning } from '../../../../structure/crystal.ts'
import { applyToColumn, combineRows, type Vector3 } from '../../../../structure/linear-algebra.ts'
import { type Calculation, ofSites, type Result, scalar } from '../../../calculation.ts'
import { FittingResults } from '../../../fitting-results.ts'
import { conditionsOf } from '../conditions.ts'
import { addedAfterElectrons, energyResults } from '../energies.ts'
import { kPointsInput, kPointsLeftOut } from '../k-points.ts'
import { methodOf } from '../method.ts'
import { modelOf } from '../model.ts'
import { forceResults, stressResults } from '../results.ts'
import { isRelaxationBy } from '../steps.ts'
import { matrixOfRows, type Positions, Species, titleOf } from '../structure.ts'
import type { OutcarReport } from './outcar-report.ts'
import type { OutcarStep } from './step.ts'

/** Makes the calculation of what an OUTCAR says. */
export function outcarCalculation(report: OutcarReport, cut: number): Calculation {
  const { tags, incar, last, kPoints } = report
  const warnings: StructureWarning[] = []
  const species = speciesOf(report, warnings)
  const results = new FittingResults(report.limits.numbers)
  if (last !== null) results.add(...resultsOf(last, report, warnings))
  results.add(elasticResult(report), ...report.steps.results())
  const potentials = species?.potentials ?? []
  const model = modelOf({
    parameters: tags,
    incar,
    titles: report.titles,
    ...exchangeOf(report),
    added: last === null ? 0 : addedAfterElectrons(last.energies, last.terms),
  })
  warnings.push(...(species?.warnings ?? []), ...model.warnings, ...endWarnings(report))
  return {
    code: { name: 'vasp', version: report.version },
    ...structuresOf(report, species),
    model: model.model,
    method: methodOf({ parameters: tags, kPoints, atoms: species?.count ?? 0 }, potentials),
    inputs: inputsOf(report),
    times: report.times,
    isWhole: report.isWhole,
    isConverged: isConverged(report),
    conditions: {
      ...conditionsOf(tags, neutralOf(report)),
      ...(last === null || last.electronic.length === 0 ? {} : { areElectronsLeft: !last.areElectronsConverged }),
    },
    results: results.all,
    rest: restOf(report, [...results.leftOut, ...(cut > 0 ? [`ends of lines (${cut})`] : [])]),
    warnings,
  }
}

function speciesOf({ titles, counts, fractions }: OutcarReport, warnings: StructureWarning[]): Species | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (titles.length === 0 || fractions === null) return null
  if (counts.length === titles.length && total === fractions.length)
    return new Species(titles.map((title, index) => ({ name: '', title, count: counts[index] ?? 0 })))
  const message = `The output has ${titles.length} potentials, numbers of atoms ${counts.join(', ')}, and ${fractions.length} places: which atom is where cannot be told.`
  warnings.push({ code: 'atoms-unknown', message })
  return null
}

function exchangeOf({ exchanges }: OutcarReport): { readonly exchange?: string } {
  const [exchange] = exchanges
  return exchange === undefined || exchanges.size > 1 ? {} : { exchange }
}

function resultsOf(step: OutcarStep, report: OutcarReport, warnings: StructureWarning[]): readonly (Result | null)[] {
  const dispersion = step.dispersion === null ? [] : [['dispersion', step.dispersion] as const]
  return [
    ...energyResults(step.energy, new Map([...step.terms, ...step.energies, ...dispersion])),
    ...forceResults(step.forces),
    ...stressResults(step.stress, step.pressure),
    step.fermi === null ? null : scalar('fermi_energy', step.fermi, 'eV'),
    ...(step.bands?.gaps() ?? []),
    step.bands?.curves() ?? null,
    momentsResult(step, report, warnings),
    step.magnetization.length === 1 ? scalar('total_magnetization', step.magnetization[0] ?? 0, 'uB') : null,
  ]
}

/** Moments of the atoms: numbers, or where spins have any direction, vectors in the frame of the lattice vectors. */
function momentsResult({ moments }: OutcarStep, report: OutcarReport, warnings: StructureWarning[]): Result | null {
  const [x, y, z] = [moments.get('x'), moments.get('y'), moments.get('z')]
  if (x === undefined || x.length !== report.fractions?.length) return null
  if (y === undefined || z === undefined) return ofSites('magnetic_moments', x, 'uB')
  const vectors = x.map((moment, index): Vector3 => [moment, y[index] ?? 0, z[index] ?? 0])
  const { frame } = report
  if (frame === null) return ofSites('magnetic_moments', vectors, 'uB')
  const message =
    'Moments are turned from the frame of SAXIS, in which they are printed, to that of the lattice vectors.'
  warnings.push({ code: 'moments-turned', message, severity: 'info' })
  return ofSites(
    'magnetic_moments',
    vectors.map((vector) => applyToColumn(frame, vector)),
    'uB',
  )
}

/** Order of Voigt (XX, YY, ZZ, YZ, ZX, XY) in that of VASP (XX, YY, ZZ, XY, YZ, ZX). */
const VOIGT = [0, 1, 2, 4, 5, 3]
const KBAR_PER_GPA = 10

function elasticResult({ elastic }: OutcarReport): Result | null {
  if (elastic === null) return null
  const value = VOIGT.map((row) => VOIGT.map((column) => (elastic[row]?.[column] ?? 0) / KBAR_PER_GPA))
  return { name: 'elastic_tensor', data: { value, units: 'GPa' } }
}

function structuresOf(report: OutcarReport, species: Species | null): Pick<Calculation, 'initial' | 'final'> {
  const { vectors, fractions, last, tags } = report
  const lattice = matrixOfRows(vectors ?? [])
  if (species === null || lattice === null || fractions === null) return { initial: null, final: null }
  const title = titleOf(tags)
  const initial = { vectors: lattice, fractions }
  const end = last === null ? null : placesOf(last, initial)
  const first = species.crystal(initial, title)
  return { initial: first, final: end === null ? null : end === initial ? first : species.crystal(end, title) }
}

/** Half of the last decimal of places in the report, in Å, and of lattice vectors. */
const HALF_DECIMAL = 0.6e-5
const HALF_DECIMAL_OF_VECTORS = 0.6e-9

/** Places at the end of a step, which have five decimals: those of the beginning, which have more, where these are the same. */
function placesOf({ vectors, places }: OutcarStep, initial: Positions): Positions | null {
  const lattice = matrixOfRows(vectors ?? initial.vectors)
  if (lattice === null || places === null || places.length !== initial.fractions.length) return null
  const isSame =
    lattice.every((row, index) => areNear(row, initial.vectors[index], HALF_DECIMAL_OF_VECTORS)) &&
    places.every((place, index) => areNear(place, cartesian(initial, index), HALF_DECIMAL))
  return isSame ? initial : { vectors: lattice, fractions: fractionsOf(places, lattice) }
}

function cartesian({ vectors, fractions }: Positions, index: number): Vector3 {
  return combineRows(fractions[index] ?? [0, 0, 0], vectors)
}

function areNear(one: Vector3, other: Vector3 | undefined, tolerance: number): boolean {
  return one.every((component, axis) => Math.abs(component - (other?.[axis] ?? Infinity)) <= tolerance)
}

function inputsOf({ incar, tags, kPoints, titles }: OutcarReport): JsonObject {
  const inputs: Record<string, Json> = {}
  if (Object.keys(incar).length > 0) inputs['INCAR'] = incar
  if (kPoints.points.length > 0) inputs['KPOINTS'] = kPointsInput(kPoints)
  if (titles.length > 0) inputs['POTCAR'] = titles
  if (Object.keys(tags).length > 0) inputs['parameters'] = tags
  return inputs
}

/** Whether it has converged, as the report says it of the electrons of the last step, and of the ions where these are to come to rest. */
function isConverged({ isWhole, last, tags, areIonsAtRest }: OutcarReport): boolean | null {
  if (!isWhole || last === null || last.electronic.length === 0) return null
  const [ionic, way] = [ownField(tags, 'NSW'), ownField(tags, 'IBRION')]
  const isRelaxation = isRelaxationBy(way) && typeof ionic === 'number' && ionic > 1
  return last.areElectronsConverged && (!isRelaxation || areIonsAtRest)
}

/** Electrons of the neutral atoms; null where the potentials do not say them. */
function neutralOf({ tags, counts }: OutcarReport): number | null {
  const valences = ownField(tags, 'ZVAL')
  if (!isJsonArray(valences) || valences.length !== counts.length) return null
  return counts.reduce((sum, count, index) => sum + count * Number(valences[index]), 0)
}

function endWarnings({ isWhole, begun, last }: OutcarReport): readonly StructureWarning[] {
  if (isWhole) return []
  const before = last === null ? 'it is the first, and there are no results' : 'results are of the one before'
  const missing = begun === null ? '' : ` An ionic step has no end: ${before}.`
  return [{ code: 'output-incomplete', message: `The output is not whole: it stops before its end.${missing}` }]
}

function restOf(report: OutcarReport, leftOut: readonly string[]): Rest {
  const { last, kPoints, steps, potentialLines, noticeLines } = report
  const { values, leftOut: lines } = report.unused.rest
  const magnetization = last?.magnetization ?? []
  return {
    values: { ...(magnetization.length === 3 ? { magnetization: magnetization } : {}), ...values },
    leftOut: [
      ...leftOut,
      ...steps.leftOut,
      ...kPointsLeftOut(kPoints),
      ...(last?.bands?.leftOut == null ? [] : [last.bands.leftOut]),
      ...(steps.count > 1 ? [`structures, forces and stresses of steps before the last (${steps.count - 1})`] : []),
      ...(report.begun === null ? [] : ['ionic step without an end']),
      ...(potentialLines > 0 ? [`lines of potentials (${potentialLines})`] : []),
      ...(noticeLines > 0 ? [`lines of notices (${noticeLines})`] : []),
      ...lines,
    ],
  }
}

import { type Json, type JsonObject, ownField } from '../../../../kernel/json.ts'
import type { Rest, StructureWarning } from '../../../../structure/crystal.ts'
import {
  type Calculation,
  type Conditions,
  type OutputLimits,
  type Result,
  scalar,
  type Times,
} from '../../../calculation.ts'
import { FittingResults } from '../../../fitting-results.ts'
import { conditionsOf } from '../conditions.ts'
import { addedAfterElectrons, energyResults } from '../energies.ts'
import { kPointsInput, kPointsLeftOut } from '../k-points.ts'
import { methodOf } from '../method.ts'
import { modelOf } from '../model.ts'
import { forceResults, stressResults } from '../results.ts'
import { isRelaxationBy } from '../steps.ts'
import { arePlacesEqual, type Positions, titleOf } from '../structure.ts'
import type { IonicStep } from './calculation-element.ts'
import type { Vasprun } from './sections.ts'
import type { XmlBreak } from './xml-elements.ts'

/** Makes the calculation of the sections of a vasprun.xml. */
export function calculationOf(
  vasprun: Vasprun,
  { stop, limits }: { readonly stop: XmlBreak | null; readonly limits: OutputLimits },
): Calculation {
  const { generator, incar, parameters, kPoints, species, last } = vasprun
  const warnings: StructureWarning[] = [...(species?.warnings ?? []), ...endWarnings(vasprun, stop)]
  const results = new FittingResults(limits.numbers)
  if (last !== null) results.add(...resultsOf(last))
  results.add(...vasprun.steps.results())
  const potentials = species?.potentials ?? []
  const added = last === null ? 0 : addedAfterElectrons(last.energies, last.lastElectronic)
  const model = modelOf({ parameters, incar, titles: potentials.map(({ title }) => title), added })
  warnings.push(...model.warnings)
  return {
    code: { name: 'vasp', version: textOf(generator, 'version') },
    ...structuresOf(vasprun, warnings),
    model: model.model,
    method: methodOf({ parameters, kPoints, atoms: species?.count ?? 0 }, potentials),
    inputs: inputsOf(vasprun),
    times: timesOf(generator),
    isWhole: vasprun.isWhole,
    isConverged: isConverged(vasprun),
    conditions: {
      ...conditionsOf(parameters, species?.electrons ?? null),
      ...electronsLeft(vasprun),
    },
    results: results.all,
    rest: restOf(vasprun, results.leftOut),
    warnings,
  }
}

function resultsOf(step: IonicStep): readonly (Result | null)[] {
  const terms = new Map([...(step.lastElectronic ?? []), ...step.energies])
  const fermi = step.densities?.fermi ?? null
  const areBandsWhole = !step.unread.includes('eigenvalues')
  return [
    ...energyResults(step.energy, terms),
    ...forceResults(step.forces),
    ...stressResults(step.stress, null),
    fermi === null ? null : scalar('fermi_energy', fermi, 'eV'),
    ...(areBandsWhole ? (step.bands?.gaps() ?? []) : []),
    areBandsWhole ? (step.bands?.curves() ?? null) : null,
    step.densities?.densities.result() ?? null,
    step.dielectric,
  ]
}

/** Structures before and after. That after is the one that the results are of: with dynamics the file ends with places after one more step. */
function structuresOf(
  { species, initial, final, last, parameters, isWhole }: Vasprun,
  warnings: StructureWarning[],
): Pick<Calculation, 'initial' | 'final'> {
  if (species === null) return { initial: null, final: null }
  const title = titleOf(parameters)
  const movable = [initial, last?.structure, final].find((places) => places?.movable !== undefined)?.movable
  const crystalOf = (places: Positions | null): Calculation['final'] =>
    places === null ? null : species.crystal(movable === undefined ? places : { ...places, movable }, title)
  const ofResults = last?.structure ?? null
  const end = ofResults ?? (isWhole ? (final ?? initial) : null)
  if (ofResults !== null && final !== null && !arePlacesEqual(ofResults, final)) {
    const message =
      'The file ends with places after one more step; the final structure is the one that the energies are of.'
    warnings.push({ code: 'moved-after-energies', message, severity: 'info' })
  }
  const first = crystalOf(initial)
  const isSame = initial !== null && end !== null && arePlacesEqual(initial, end)
  return { initial: first, final: isSame ? first : crystalOf(end) }
}

/** `2015 01 31` and `06:11:24`, in the time of the machine. */
function timesOf(generator: JsonObject): Times {
  const [, year, month, day] = /^(\d{4}) +(\d{1,2}) +(\d{1,2})$/.exec(textOf(generator, 'date') ?? '') ?? []
  const [time] = /^\d{2}:\d{2}:\d{2}$/.exec(textOf(generator, 'time') ?? '') ?? []
  if (year === undefined || month === undefined || day === undefined || time === undefined) return {}
  return { startedAt: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${time}` }
}

/**
 * Whether it has converged, by the rule of pymatgen: the electrons of the last ionic step in fewer steps than allowed, and the ions too, where they
 * are to come to rest. The file does not say it otherwise; of one without an end nothing is known.
 */
function isConverged({ parameters, last, steps, isWhole }: Vasprun): boolean | null {
  const [most, ionic, way] = ['NELM', 'NSW', 'IBRION'].map((name) => ownField(parameters, name))
  const electronic = last?.electronic.length ?? 0
  if (!isWhole || typeof most !== 'number' || electronic === 0) return null
  if (ownField(parameters, 'LEPSILON') === true) return null
  const isRelaxation = isRelaxationBy(way) && typeof ionic === 'number' && ionic > 1
  return electronic < most && (!isRelaxation || steps.count < ionic)
}

/** Whether the electrons of the last step used all the steps that they had, which the density functional perturbation theory does without being asked. */
function electronsLeft({ parameters, last }: Vasprun): Conditions {
  const most = ownField(parameters, 'NELM')
  const electronic = last?.electronic.length ?? 0
  if (typeof most !== 'number' || electronic === 0 || ownField(parameters, 'LEPSILON') === true) return {}
  return { areElectronsLeft: electronic >= most }
}

function endWarnings({ isWhole, begun, last }: Vasprun, stop: XmlBreak | null): readonly StructureWarning[] {
  if (isWhole && stop === null) return []
  const where = stop === null ? '' : ` from line ${stop.line} on (${stop.message})`
  if (isWhole) {
    const message = `What follows the end${where} is not read.`
    return [{ code: 'more-behind-end', message, ...(stop === null ? {} : { line: stop.line }) }]
  }
  const before = last === null ? 'it is the first, and there are no results' : 'results are of the one before'
  const missing = begun === null ? '' : ` An ionic step has no end: ${before}.`
  const why = stop === null ? 'it stops before its end' : `it is no XML${where}`
  const line = stop === null ? {} : { line: stop.line }
  return [{ code: 'output-incomplete', message: `The output is not whole: ${why}.${missing}`, ...line }]
}

function restOf({ generator, kPoints, last, final, steps, unused, begun }: Vasprun, leftOut: readonly string[]): Rest {
  const { values, leftOut: elements } = unused.rest
  const others = Object.entries(generator).filter(([name]) => !['version', 'date', 'time'].includes(name))
  return {
    values: { ...(others.length === 0 ? {} : { generator: Object.fromEntries(others) }), ...values },
    leftOut: [
      ...leftOut,
      ...steps.leftOut,
      ...(kPoints === null ? [] : kPointsLeftOut(kPoints)),
      ...(last === null ? [] : leftOutOf(last)),
      ...(last?.structure && final && !arePlacesEqual(last.structure, final)
        ? [`finalpos.positions (${final.fractions.length} × 3)`]
        : []),
      ...(steps.count > 1 ? [`structures, forces and stresses of steps before the last (${steps.count - 1})`] : []),
      ...(begun === null ? [] : ['calculation without an end']),
      ...elements,
    ],
  }
}

function leftOutOf({ unread, replaced, bands, densities }: IonicStep): readonly string[] {
  const counts = [...(densities?.counts ?? [])].map(([name, count]) => `dos.${name} (${count})`)
  return [
    ...unread.map((name) => `${name} (not numbers)`),
    ...replaced.map((name) => `${name} (before that at the end of the step)`),
    ...(bands?.leftOut == null ? [] : [bands.leftOut]),
    ...(densities?.densities.leftOut ?? []).map((name) => `dos.${name}`),
    ...counts,
  ]
}

/** Values of the input as JSON; sections that are not there are left out. */
function inputsOf({ incar, parameters, kPoints, species }: Vasprun): JsonObject {
  const titles = species?.potentials.map(({ title }) => title) ?? []
  const inputs: Record<string, Json> = {}
  if (Object.keys(incar).length > 0) inputs['INCAR'] = incar
  if (kPoints !== null) inputs['KPOINTS'] = kPointsInput(kPoints)
  if (titles.length > 0) inputs['POTCAR'] = titles
  if (Object.keys(parameters).length > 0) inputs['parameters'] = parameters
  return inputs
}

function textOf(values: JsonObject, name: string): string | null {
  const value = ownField(values, name)
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

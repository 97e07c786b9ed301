import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { EV_PER_RYDBERG } from '../../../page/units.ts'
import { take, takeWhole } from '../../../structure/formats/json/json-fields.ts'
import type { Calculation, Model, Precision, Result } from '../../calculation.ts'
import { takeNumber, textOf } from '../records/database-results.ts'
import { modelOfRunType } from '../records/run-type.ts'
import { takeContributions, takeQuantities, takeQuantity } from './quantities.ts'

/** What the parameters that a process put out say. */
export interface ParametersReading {
  readonly results: readonly Result[]
  readonly version: string | null
  readonly model: Model | null
  readonly precision: Precision
  readonly times: Calculation['times']
  readonly isConverged: boolean | null
}

/** Reads parameters that a plugin of a code has put out, by its keys and their units. */
export function readOutputParameters(parameters: JsonObject, plugin: string): ParametersReading {
  const isEspresso = plugin.startsWith('quantumespresso.')
  const results = [...takeQuantities(parameters), ...(isEspresso ? takeContributions(parameters) : [])]
  const wallSeconds = takeNumber(parameters, 'wall_time_seconds')
  return {
    results,
    version: takeText(parameters, 'creator_version') ?? null,
    model: modelOf(parameters),
    precision: precisionOf(parameters),
    times: wallSeconds === undefined ? {} : { wallSeconds },
    isConverged: convergenceOf(parameters),
  }
}

function takeText(parameters: JsonObject, key: string): string | undefined {
  const text = textOf(ownField(parameters, key))
  if (text !== undefined) takeWhole(parameters, key)
  return text
}

/** Functionals by the words that pw.x makes of their parts. */
const FUNCTIONALS: Readonly<Record<string, string>> = {
  'sla pz nogx nogc': 'lda',
  'sla+pz+nogx+nogc': 'lda',
  pz: 'lda',
  'sla pw pbx pbc': 'pbe',
  'sla pw pbe pbe': 'pbe',
  'sla+pw+pbx+pbc': 'pbe',
  'sla+pw+pbe+pbe': 'pbe',
  'sla pw psx psc': 'pbesol',
  'sla+pw+psx+psc': 'pbesol',
}

function modelOf(parameters: JsonObject): Model | null {
  const key = 'dft_exchange_correlation'
  const text = textOf(ownField(parameters, key))
  if (text === undefined) return null
  const words = text.toLowerCase().replace(/\(.*$/, '').trim().replace(/\s+/g, ' ')
  const name = Object.hasOwn(FUNCTIONALS, words) ? FUNCTIONALS[words] : words
  const hasU = ownField(parameters, 'lda_plus_u_calculation') === true
  const model = modelOfRunType(`${name}${hasU ? '+u' : ''}`)
  if (model === null) return null
  takeWhole(parameters, key)
  takeWhole(parameters, 'lda_plus_u_calculation')
  return model
}

function precisionOf(parameters: JsonObject): Precision {
  const grid = gridOf(ownField(parameters, 'monkhorst_pack_grid'))
  if (grid !== undefined) takeWhole(parameters, 'monkhorst_pack_grid')
  const kpoints = takeNumber(parameters, 'number_of_k_points')
  const cutoff = takeQuantity(parameters, 'wfc_cutoff')
  const smearing = takeQuantity(parameters, 'degauss')
  return {
    ...(grid === undefined ? {} : { kgrid: grid }),
    ...(kpoints === undefined ? {} : { kpoints }),
    ...(cutoff === undefined ? {} : { cutoff }),
    ...(smearing === undefined ? {} : { smearing }),
  }
}

/** Divisions of the reciprocal lattice vectors. */
export function gridOf(value: Json | undefined): readonly [number, number, number] | undefined {
  if (!isJsonArray(value) || value.length !== 3) return undefined
  const [a, b, c] = value
  const isCount = (n: Json | undefined): n is number => typeof n === 'number' && Number.isInteger(n) && n > 0
  return isCount(a) && isCount(b) && isCount(c) ? [a, b, c] : undefined
}

/** Whether the electrons have converged, and the atoms where they moved. */
function convergenceOf(parameters: JsonObject): boolean | null {
  const info = ownField(parameters, 'convergence_info')
  if (!isJsonObject(info)) return null
  const parts = ['scf_conv', 'opt_conv'].flatMap((part) => {
    const told = ownField(info, part)
    const achieved = isJsonObject(told) ? ownField(told, 'convergence_achieved') : undefined
    if (!isJsonObject(told) || typeof achieved !== 'boolean') return []
    take(parameters, 'convergence_info')
    take(info, part)
    takeWhole(told, 'convergence_achieved')
    return [achieved]
  })
  return parts.length === 0 ? null : parts.every((achieved) => achieved)
}

/** What inputs of pw.x say of the precision, which its output need not say again: its cutoff is in Ry. */
export function precisionOfInputs(inputs: JsonObject, plugin: string): Precision {
  const grids = Object.values(inputs).flatMap((input) => {
    const mesh = isJsonObject(input) ? gridOf(ownField(input, 'mesh')) : undefined
    return mesh === undefined ? [] : [mesh]
  })
  const [grid] = grids.length === 1 ? grids : []
  const cutoff = plugin === 'quantumespresso.pw' ? inputNumber(inputs, 'SYSTEM', 'ecutwfc') : undefined
  return {
    ...(grid === undefined ? {} : { kgrid: grid }),
    ...(cutoff === undefined ? {} : { cutoff: cutoff * EV_PER_RYDBERG }),
  }
}

function inputNumber(inputs: JsonObject, section: string, key: string): number | undefined {
  const value = inputField(inputs, section, key)
  return typeof value === 'number' ? value : undefined
}

/** A parameter of an input file that has sections. */
export function inputField(inputs: JsonObject, section: string, key: string): Json | undefined {
  const parameters = ownField(inputs, 'parameters')
  const fields = isJsonObject(parameters) ? ownField(parameters, section) : undefined
  return isJsonObject(fields) ? ownField(fields, key) : undefined
}

import { AppError } from '../../../kernel/errors.ts'
import { type Json, type JsonObject, ownField, setOwnField } from '../../../kernel/json.ts'
import type { Crystal, StructureWarning } from '../../../structure/crystal.ts'
import { settleRest } from '../../../structure/formats/common/rest.ts'
import { restOf, takeWhole } from '../../../structure/formats/json/json-fields.ts'
import type { Calculation, Conditions, Method, OutputLimits } from '../../calculation.ts'
import { conditionsOf } from '../espresso/conditions.ts'
import { textOf } from '../records/database-results.ts'
import { UNKNOWN_CODE } from '../records/json-records.ts'
import { NumberBudget } from '../records/number-budget.ts'
import type { AiidaArchive, AiidaNode } from './archive.ts'
import { type DataNodes, readDataNodes } from './data-nodes.ts'
import { inputField, type ParametersReading, precisionOfInputs, readOutputParameters } from './output-parameters.ts'
import type { LinkedNode, NodeOrigins } from './provenance.ts'
import { readStructureData } from './structure-data.ts'

/** Codes by the first words of their plugins, where these are others. */
const CODES: Readonly<Record<string, string>> = { quantumespresso: 'espresso', core: 'aiida', arithmetic: 'aiida' }

/** What is gathered of one node beside its results. */
class NodeRest {
  readonly values: Record<string, Json> = {}
  readonly leftOut: string[] = []
  readonly warnings: StructureWarning[] = []

  set(name: string, value: Json): void {
    setOwnField(this.values, name, value)
  }
}

/** Makes calculations of nodes of an archive. */
export class NodeReader {
  readonly #archive: AiidaArchive
  readonly #provenance: NodeOrigins
  readonly #limits: OutputLimits
  readonly #budget: NumberBudget

  constructor(archive: AiidaArchive, provenance: NodeOrigins, limits: OutputLimits) {
    this.#archive = archive
    this.#provenance = provenance
    this.#limits = limits
    this.#budget = new NumberBudget(limits.numbers)
  }

  /** A structure that no process has taken or made. */
  readStructure(node: AiidaNode): Calculation {
    const remainder = new NodeRest()
    const final = this.#crystalOf({ label: 'structure', node }, remainder)
    const { others, leftOut } = this.#archive.contentOf(node.key)
    remainder.leftOut.push(...leftOut)
    return {
      ...NOTHING_SAID,
      ...this.#identityOf(node),
      code: { name: 'aiida', version: null },
      final,
      isWhole: true,
      rest: settleRest(
        { values: { ...remainder.values, ...others }, leftOut: remainder.leftOut },
        final?.sites.length ?? -1,
      ),
      warnings: remainder.warnings,
    }
  }

  /** A run of a code: what came in, and what came out of it. */
  readProcess(node: AiidaNode): Calculation {
    const remainder = new NodeRest()
    const inputs = readDataNodes(this.#provenance.inputsOf(node), this.#archive)
    const outputs = readDataNodes(this.#provenance.outputsOf(node), this.#archive)
    const plugin = node.plugin ?? inputs.plugin ?? ''
    const given = this.#inputsOf(inputs, remainder)
    const readings = outputs.parameters.map(([, parameters]) => readOutputParameters(parameters, plugin))
    const structures = this.#structuresOf(inputs, outputs, remainder, nothingMoves(given, plugin))
    const model = readings.find((reading) => reading.model !== null)?.model ?? null
    if (model === null && readings.length > 0) remainder.warnings.push(NO_MODEL)
    const isWhole = this.#endOf(node, readings.length > 0, remainder)
    const { results, beyond } = this.#budget.keep(resultsOf(readings))
    this.#keepOutputs(outputs, remainder)
    const rest = { values: remainder.values, leftOut: [...remainder.leftOut, ...beyond] }
    return {
      ...NOTHING_SAID,
      ...this.#identityOf(node),
      ...structures,
      code: codeOf(plugin, readings),
      model,
      method: methodOf(plugin, inputs, { ...precisionOfInputs(given, plugin), ...merged(readings, 'precision') }),
      inputs: given,
      times: merged(readings, 'times'),
      isWhole,
      isConverged: readings.find((reading) => reading.isConverged !== null)?.isConverged ?? null,
      conditions: plugin === PW ? conditionsOfInputs(given) : {},
      results,
      rest: settleRest(rest, structures.final?.sites.length ?? -1),
      warnings: remainder.warnings,
    }
  }

  #identityOf(node: AiidaNode): Pick<Calculation, 'id' | 'madeFrom'> {
    const madeFrom = this.#provenance.madeFrom(node)
    return { id: node.uuid, ...(madeFrom.length === 0 ? {} : { madeFrom }) }
  }

  /** Parameters and values that came in, as far as they are small; others are named. */
  #inputsOf({ parameters, values, leftOut }: DataNodes, remainder: NodeRest): JsonObject {
    const all = Object.fromEntries([...parameters, ...values])
    const settled = settleRest({ values: all, leftOut }, -1)
    remainder.leftOut.push(...settled.leftOut.map((name) => `inputs.${name}`))
    return settled.values
  }

  #keepOutputs({ parameters, values, leftOut }: DataNodes, remainder: NodeRest): void {
    const outputs: Record<string, Json> = Object.fromEntries(values)
    for (const [label, of] of parameters) {
      const rest = restOf(of)
      setOwnField(outputs, label, rest.values)
      remainder.leftOut.push(...rest.leftOut.map((name) => `outputs.${label}.${name}`))
    }
    remainder.set('outputs', outputs)
    remainder.leftOut.push(...leftOut.map((name) => `outputs.${name}`))
  }

  #structuresOf(
    inputs: DataNodes,
    outputs: DataNodes,
    remainder: NodeRest,
    stays: boolean,
  ): Pick<Calculation, 'initial' | 'final'> {
    const before = this.#oneOf(inputs.structures, 'inputs', remainder)
    const after = this.#oneOf(outputs.structures, 'outputs', remainder)
    const initial = before === null ? null : this.#crystalOf(before, remainder)
    if (after !== null) return { initial, final: this.#crystalOf(after, remainder) }
    if (stays) return { initial, final: initial }
    if (initial !== null && outputs.structures.length === 0) remainder.warnings.push(NO_FINAL)
    return { initial, final: null }
  }

  /** The structure of one side: the only one, or the only one whose label says so. Others are named. */
  #oneOf(structures: readonly LinkedNode[], side: string, remainder: NodeRest): LinkedNode | null {
    const named = structures.filter(({ label }) => /^(?:output_)?structure$/.test(label))
    const [one] = structures.length === 1 ? structures : named.length === 1 ? named : []
    const others = structures.filter((structure) => structure !== one)
    remainder.leftOut.push(...others.map(({ label }) => `${side}.${label} (StructureData)`))
    if (one === undefined && others.length > 0)
      remainder.warnings.push({
        code: 'several-structures',
        message: `Which of ${others.map(({ label }) => label).join(', ')} is the structure of the calculation is not known.`,
      })
    return one ?? null
  }

  #crystalOf({ label, node }: LinkedNode, remainder: NodeRest): Crystal | null {
    try {
      const { attributes, leftOut } = this.#archive.contentOf(node.key)
      remainder.leftOut.push(...leftOut.map((name) => `${label}.${name}`))
      const { rest, ...crystal } = readStructureData(attributes, node.label, this.#limits)
      if (rest !== undefined && Object.keys(rest.values).length > 0) remainder.set(label, rest.values)
      remainder.leftOut.push(...(rest?.leftOut ?? []).map((name) => `${label}.${name}`))
      return crystal
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      remainder.warnings.push({ code: 'structure-not-read', message: `No structure: ${error.message}` })
      return null
    }
  }

  /** Whether the process has come to its end; tells an exit that was not what was hoped for. */
  #endOf(node: AiidaNode, hasOutput: boolean, remainder: NodeRest): boolean {
    const { attributes, others, leftOut } = this.#archive.contentOf(node.key)
    const state = textOf(takeWhole(attributes, 'process_state'))
    const status = ownField(attributes, 'exit_status')
    if (typeof status === 'number' && status !== 0) {
      const message = textOf(ownField(attributes, 'exit_message'))
      const said = message === undefined ? '' : `: ${message}`
      remainder.warnings.push({ code: 'exit-status', message: `The process ended with exit status ${status}${said}` })
    }
    if (node.label !== '') remainder.set('label', node.label)
    for (const [name, value] of Object.entries(others)) remainder.set(name, value)
    remainder.set('process', restOf(attributes).values)
    remainder.leftOut.push(...leftOut.map((name) => `process.${name}`))
    return state === undefined ? hasOutput : state === 'finished'
  }
}

const NOTHING_SAID = {
  initial: null,
  final: null,
  model: null,
  method: null,
  inputs: {},
  times: {},
  isConverged: null,
  results: [],
} as const

const NO_MODEL: StructureWarning = {
  code: 'model-not-known',
  message: 'The output does not say by which functional it was computed.',
}

const NO_FINAL: StructureWarning = {
  code: 'final-structure-not-known',
  message: 'No structure came out of the calculation, and whether its atoms moved is not known.',
}

const PW = 'quantumespresso.pw'

function conditionsOfInputs(inputs: JsonObject): Conditions {
  const charge = inputField(inputs, 'SYSTEM', 'tot_charge')
  const kind = inputField(inputs, 'CONTROL', 'calculation')
  return conditionsOf(typeof kind === 'string' ? kind : 'scf', typeof charge === 'number' ? charge : null)
}

/** Calculations of pw.x in which atoms stay where they are. */
const WITHOUT_MOTION = [undefined, 'scf', 'nscf', 'bands']

function nothingMoves(inputs: JsonObject, plugin: string): boolean {
  const kind = inputField(inputs, 'CONTROL', 'calculation')
  return plugin === PW && WITHOUT_MOTION.includes(typeof kind === 'string' ? kind : undefined)
}

function codeOf(plugin: string, readings: readonly ParametersReading[]): Calculation['code'] {
  const [word = ''] = plugin.split('.')
  const version = readings.find((reading) => reading.version !== null)?.version ?? null
  if (word === '') return { ...UNKNOWN_CODE, version }
  return { name: Object.hasOwn(CODES, word) ? (CODES[word] ?? word) : word, version }
}

/** The method, where it is one of plane waves or there are potentials; which kind these are AiiDA does not say, but for VASP's. */
function methodOf(plugin: string, { potentials }: DataNodes, precision: Method['precision']): Method | null {
  if (potentials.length === 0 && Object.keys(precision).length === 0) return null
  const subtype = plugin.startsWith('vasp.') ? 'paw' : 'unknown'
  return { type: 'pseudopotential', subtype, precision, potentials }
}

/** Results of all parameters; of several of one name the first. */
function resultsOf(readings: readonly ParametersReading[]): Calculation['results'] {
  const found = new Map(
    readings.flatMap(({ results }) => results.map((result) => [result.name, result] as const)).reverse(),
  )
  return [...found.values()].reverse()
}

function merged<Key extends 'precision' | 'times'>(
  readings: readonly ParametersReading[],
  key: Key,
): ParametersReading[Key] {
  return Object.assign({}, ...readings.map((reading) => reading[key]))
}

import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { type Crystal, DEFAULT_LIMITS, type StructureWarning } from '../../structure/crystal.ts'
import { settleRest } from '../../structure/formats/common/rest.ts'
import { shorten } from '../../structure/formats/common/text.ts'
import { parseAse } from '../../structure/formats/json/ase.ts'
import { unpackArray } from '../../structure/formats/json/ase-occupancy.ts'
import type { Calculation, Model, OutputLimits, Result } from '../calculation.ts'
import { ofSites, scalar } from '../calculation.ts'
import { fittingResults, Remainder } from '../remainder.ts'
import { stressResults } from './ase-stress.ts'
import { parsePythonJson, shallow } from './shallow-json.ts'

/** Fields of a row that are its structure. */
const STRUCTURE = [
  'numbers',
  'positions',
  'cell',
  'pbc',
  'constraints',
  'masses',
  'initial_magmoms',
  'magmoms',
  'info',
  'spacegroup_kinds',
  'oxidation_states',
  'disorder_assemblies',
  'disorder_groups',
]
/** Fields that say what was computed. */
const COMPUTED = ['energy', 'forces', 'stress', 'magmom', 'magmoms']
/** Fields that the calculation has elsewhere. */
const USED = ['unique_id', 'calculator', 'calculator_parameters']

/** Reads a row of a database of ASE, whose units are eV, Å and what is made of them, and Bohr magnetons; nothing where it has no results. */
export function calculationOfRow(row: JsonObject, limits: OutputLimits): Calculation | null {
  if (!COMPUTED.some((name) => has(row, name))) return null
  const crystal = parseAse(JSON.stringify(picked(row, STRUCTURE)), {
    limits: { ...DEFAULT_LIMITS, atoms: limits.atoms },
  })
  const remainder = new Remainder()
  const warnings: StructureWarning[] = []
  const used = new Set(USED)
  const results = rowResults(row, { crystal, used, warnings })
  sayRest(row, { crystal, used, remainder })
  const id = ownField(row, 'unique_id')
  const { rest: _, ...structure } = crystal
  const inputs = inputsOf(row, remainder, crystal)
  const fitting = fittingResults(results, limits, remainder)
  return {
    code: { name: codeOf(row), version: null },
    ...(typeof id === 'string' && id !== '' ? { id: shorten(id, 100) } : {}),
    initial: structure,
    final: structure,
    model: modelOf(inputs, warnings),
    method: null,
    inputs,
    times: {},
    isWhole: true,
    isConverged: null,
    results: fitting,
    rest: remainder.rest(crystal.sites.length),
    warnings,
  }
}

function has(row: JsonObject, name: string): boolean {
  const value = ownField(row, name)
  return value !== undefined && value !== null
}

function picked(row: JsonObject, names: readonly string[]): JsonObject {
  const fields: Record<string, Json> = {}
  for (const name of names) {
    const value = ownField(row, name)
    if (value !== undefined && value !== null) fields[name] = shallow(value)
  }
  return fields
}

/** The calculator that a row names: that is the program. */
function codeOf(row: JsonObject): string {
  const calculator = ownField(row, 'calculator')
  const isNamed = typeof calculator === 'string' && calculator !== '' && calculator !== 'unknown'
  return isNamed ? shorten(calculator.toLowerCase(), 60) : 'ase'
}

interface RowContext {
  readonly crystal: Crystal
  /** Names of fields that were used; what is read is added. */
  readonly used: Set<string>
  readonly warnings: StructureWarning[]
}

function rowResults(row: JsonObject, context: RowContext): readonly Result[] {
  const { used, crystal } = context
  const number = (name: string): number | null => {
    const value = ownField(row, name)
    if (typeof value !== 'number' || !Number.isFinite(value)) return null
    used.add(name)
    return value
  }
  const count = lengthOf(row, 'numbers')
  const [energy, magmom] = [number('energy'), number('magmom')]
  // Rows that are no atoms, or several species at a place, have no sites of their own.
  const isOfSites = count === crystal.sites.length
  const forces = isOfSites ? perSite(row, 'forces', context) : null
  const moments = isOfSites ? perSite(row, 'magmoms', context) : null
  const stress = listOf(row, 'stress', context)?.flat() ?? null
  const stresses = stress === null ? [] : stressResults(stress)
  if (stresses.length > 0) used.add('stress')
  return [
    ...(energy === null ? [] : [scalar('total_energy', energy, 'eV')]),
    ...(forces === null ? [] : [ofSites('atomic_forces', forces, 'eV/angstrom')]),
    ...stresses,
    ...(magmom === null ? [] : [scalar('total_magnetization', magmom, 'uB')]),
    ...(moments === null ? [] : [ofSites('magnetic_moments', moments, 'uB')]),
  ]
}

function lengthOf(row: JsonObject, name: string): number {
  const list = unpackArray(ownField(row, name), name)
  return isJsonArray(list) ? list.length : 0
}

/** A number or a vector for each site. */
function perSite(row: JsonObject, name: string, context: RowContext): readonly (number | readonly number[])[] | null {
  const rows = listOf(row, name, context)
  if (rows === null || rows.length !== context.crystal.sites.length) return null
  const width = name === 'forces' ? [3] : [1, 3]
  if (!rows.every((values) => width.includes(values.length))) return null
  context.used.add(name)
  return rows.map((values) => (values.length === 1 ? (values[0] ?? 0) : values))
}

/** An array of one or two dimensions, as rows; null, and told, where it has something else than numbers. */
function listOf(row: JsonObject, name: string, { warnings }: RowContext): readonly (readonly number[])[] | null {
  if (!has(row, name)) return null
  const list = unpackArray(ownField(row, name), name)
  const rows = isJsonArray(list) ? list.map((item) => (isJsonArray(item) ? item : [item])) : []
  if (rows.length > 0 && rows.every((items) => items.every(isFiniteNumber)))
    return rows as readonly (readonly number[])[]
  warnings.push({ code: 'array-not-read', message: `${name} is left out: it has something else than numbers.` })
  return null
}

function isFiniteNumber(value: Json): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** What is neither structure nor result: by its names. */
function sayRest(
  row: JsonObject,
  { crystal, used, remainder }: Pick<RowContext, 'crystal' | 'used'> & { readonly remainder: Remainder },
): void {
  const { values, leftOut } = crystal.rest ?? { values: {}, leftOut: [] }
  for (const [name, value] of Object.entries(values)) if (!used.has(name)) remainder.say(name, shallow(value))
  for (const name of leftOut) remainder.leaveOut(name)
  for (const [name, value] of Object.entries(row)) {
    if (!used.has(name) && !STRUCTURE.includes(name)) remainder.say(name, shallow(value))
  }
}

/** Parameters of the calculator; versions of ASE wrote them as texts within texts. */
function inputsOf(row: JsonObject, remainder: Remainder, crystal: Crystal): JsonObject {
  const parameters = ownField(row, 'calculator_parameters')
  if (parameters === undefined || parameters === null) return {}
  const given = shallow(unpacked(parameters))
  const { values, leftOut } = settleRest(
    { values: { calculator_parameters: given }, leftOut: [] },
    crystal.sites.length,
  )
  for (const name of leftOut) remainder.leaveOut(name)
  return values
}

const MOST_TEXTS = 10

function unpacked(parameters: Json): Json {
  let value = parameters
  for (let text = 0; text < MOST_TEXTS && typeof value === 'string'; text++) value = parsePythonJson(value) ?? null
  return value
}

/** Functionals that calculators call `xc`. */
const FUNCTIONALS: ReadonlyMap<string, readonly [subtype: string, functional: string]> = new Map([
  ['lda', ['lda', 'lda']],
  ['pz', ['lda', 'pz']],
  ['pbe', ['gga', 'pbe']],
  ['pbesol', ['gga', 'pbesol']],
  ['rpbe', ['gga', 'rpbe']],
  ['revpbe', ['gga', 'revpbe']],
  ['pw91', ['gga', 'pw91']],
  ['blyp', ['gga', 'blyp']],
  ['scan', ['meta-gga', 'scan']],
  ['r2scan', ['meta-gga', 'r2scan']],
  ['tpss', ['meta-gga', 'tpss']],
  ['hse06', ['hybrid', 'hse06']],
  ['pbe0', ['hybrid', 'pbe0']],
  ['b3lyp', ['hybrid', 'b3lyp']],
])

function modelOf(inputs: JsonObject, warnings: StructureWarning[]): Model | null {
  const parameters = ownField(inputs, 'calculator_parameters')
  const name = isJsonObject(parameters) ? ownField(parameters, 'xc') : undefined
  if (typeof name !== 'string') return null
  const known = FUNCTIONALS.get(name.toLowerCase())
  if (known !== undefined) return { type: 'dft', subtype: known[0], functional: known[1] }
  warnings.push({ code: 'functional-unknown', message: `The functional "${shorten(name)}" is not known.` })
  return null
}

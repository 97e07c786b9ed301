import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { nearestName } from '../../../kernel/names.ts'
import {
  BUILD_LIMITS,
  type BuildStep,
  type SlabTerms,
  type SubstitutionTerms,
} from '../../../structure/building/build-step.ts'
import type { Matrix3, Vector3 } from '../../../structure/linear-algebra.ts'
import { STANDARD_CELLS } from '../../../structure/symmetry/standard-cell.ts'
import { LEAST_TOLERANCE_ANGSTROM, MOST_TOLERANCE_ANGSTROM } from '../../../structure/symmetry/symmetry-report.ts'
import { MOST_SITES } from './material-kind.ts'
import { ORDERED, ORDERED_LIMITS } from './print-material.ts'

/** Makes the refusal of a value by its path, `steps[0].slab.miller`, and what it has to be; in the words of the door that it came through. */
export type RefuseValue = (path: string, expected: string) => Error

/** A step by step reading of JSON, with the place that a refusal names. */
interface StepReading {
  readonly value: JsonObject
  readonly path: string
  readonly refuse: RefuseValue
}

/** Reads the steps of a build; refuses what they cannot be, and fields that nobody would read. What the structure has to say about them is not asked here. */
export function readBuildSteps(value: Json | undefined, refuse: RefuseValue): readonly BuildStep[] {
  const { steps: most } = BUILD_LIMITS
  if (!isJsonArray(value) || value.length === 0 || value.length > most) {
    throw refuse('steps', `a list of 1 to ${most} steps, such as [{"supercell":{"size":[2,2,2]}}]`)
  }
  return value.map((step, index) => readStep(step, `steps[${index}]`, refuse))
}

const READERS = {
  supercell: readSupercell,
  standardCell: readStandardCell,
  slab: readSlab,
  substitution: readSubstitution,
  vacancy: readVacancy,
  ordered: readOrdered,
  strain: readStrain,
} as const satisfies Record<string, (reading: StepReading) => BuildStep>

/** The names of the steps that there are. */
export const BUILD_STEPS = Object.keys(READERS)

function readStep(value: Json, path: string, refuse: RefuseValue): BuildStep {
  const [name, ...others] = isJsonObject(value) ? Object.keys(value) : []
  const known = Object.entries(READERS).find(([step]) => step === name)
  if (!isJsonObject(value) || known === undefined || others.length > 0) {
    const near = name === undefined || others.length > 0 ? null : nearestName(name, BUILD_STEPS)
    const guess = near === null || known !== undefined ? '' : ` (did you mean ${near}?)`
    throw refuse(path, `an object with one field, ${BUILD_STEPS.join(', ')}${guess}`)
  }
  const [step, read] = known
  const terms = ownField(value, step)
  if (!isJsonObject(terms)) throw refuse(`${path}.${step}`, 'an object with the parameters of the step')
  return read({ value: terms, path: `${path}.${step}`, refuse })
}

function readSupercell(reading: StepReading): BuildStep {
  assertFields(reading, ['size', 'matrix'])
  const { repeats } = BUILD_LIMITS
  const [size, matrix] = [field(reading, 'size'), field(reading, 'matrix')]
  if ((size === undefined) === (matrix === undefined)) throw refuseOneOf(reading, ['size', 'matrix'])
  if (size !== undefined && isVector(size, isWhole(1, repeats))) return { supercell: { size } }
  if (matrix !== undefined && isMatrix(matrix, isWhole(-repeats, repeats))) return { supercell: { matrix } }
  throw size === undefined
    ? refuseField(
        reading,
        'matrix',
        `three rows of three whole numbers from -${repeats} to ${repeats}: [[1,1,0],[-1,1,0],[0,0,1]]`,
      )
    : refuseField(reading, 'size', `three whole numbers from 1 to ${repeats}: [2,2,1]`)
}

function readStandardCell(reading: StepReading): BuildStep {
  assertFields(reading, ['cell', 'tolerance'])
  const cell = STANDARD_CELLS.find((known) => known === field(reading, 'cell'))
  if (cell === undefined) throw refuseField(reading, 'cell', `one of ${STANDARD_CELLS.join(', ')}`)
  const tolerance = readNumber(
    reading,
    'tolerance',
    { least: LEAST_TOLERANCE_ANGSTROM, most: MOST_TOLERANCE_ANGSTROM },
    'Å',
  )
  return { standardCell: { cell, ...(tolerance === undefined ? {} : { tolerance }) } }
}

function readSlab(reading: StepReading): BuildStep {
  assertFields(reading, ['miller', 'layers', 'thickness', 'vacuum', 'termination', 'centred'])
  const { millerIndex, layers: most, thickness: thick, vacuum: space } = BUILD_LIMITS
  const miller = field(reading, 'miller')
  if (!isVector(miller, isWhole(-millerIndex, millerIndex))) {
    throw refuseField(reading, 'miller', `three whole numbers from -${millerIndex} to ${millerIndex}: [1,1,0]`)
  }
  const layers = readNumber(reading, 'layers', { least: 1, most, whole: true })
  const thickness = readNumber(reading, 'thickness', thick, 'Å')
  if ((layers === undefined) === (thickness === undefined)) throw refuseOneOf(reading, ['layers', 'thickness'])
  const size: Pick<SlabTerms, 'layers' | 'thickness'> =
    layers === undefined ? { thickness: thickness ?? 0 } : { layers }
  const centred = field(reading, 'centred') ?? true
  if (typeof centred !== 'boolean') throw refuseField(reading, 'centred', 'true or false')
  const vacuum = readNumber(reading, 'vacuum', space, 'Å') ?? space.usual
  const termination = readNumber(reading, 'termination', { least: 0, most: MOST_SITES, whole: true }) ?? 0
  return { slab: { miller, ...size, vacuum, termination, centred } }
}

function readSubstitution(reading: StepReading): BuildStep {
  assertFields(reading, ['elements', 'sites', 'with'])
  const [elements, other] = [field(reading, 'elements'), field(reading, 'with')]
  if ((elements === undefined) === (other === undefined)) throw refuseOneOf(reading, ['elements', 'with'])
  const sites = field(reading, 'sites') === undefined ? undefined : readSites(reading)
  if (elements !== undefined) {
    const given = isJsonObject(elements) ? Object.entries(elements) : []
    const pairs = given.flatMap(([element, text]) => (typeof text === 'string' ? [[element, text] as const] : []))
    if (pairs.length === 0 || pairs.length < given.length) {
      throw refuseField(reading, 'elements', 'an object of elements and what comes in their place: {"Ga":"Al"}')
    }
    const terms: SubstitutionTerms = { elements: Object.fromEntries(pairs) }
    return { substitution: sites === undefined ? terms : { ...terms, sites } }
  }
  if (typeof other !== 'string') throw refuseField(reading, 'with', 'the symbol of an element')
  if (sites === undefined)
    throw refuseField(reading, 'sites', 'there beside with; for all of an element write elements: {"Ga":"Al"}')
  return { substitution: { sites, with: other } }
}

function readVacancy(reading: StepReading): BuildStep {
  assertFields(reading, ['sites'])
  return { vacancy: { sites: readSites(reading) } }
}

function readSites(reading: StepReading): readonly number[] {
  const sites = field(reading, 'sites')
  const isSite = isWhole(0, MOST_SITES)
  if (isJsonArray(sites) && sites.length > 0 && sites.length <= MOST_SITES && sites.every(isSite)) return sites
  throw refuseField(reading, 'sites', 'a list of places of sites, counted from 0: [0,3]')
}

function readOrdered(reading: StepReading): BuildStep {
  assertFields(reading, ['how', 'maxAtoms', 'seed'])
  const { usualAtoms, mostAtoms, usualSeed, mostSeed } = ORDERED_LIMITS
  const how = ORDERED.find((known) => known === field(reading, 'how'))
  if (how === undefined) throw refuseField(reading, 'how', `one of ${ORDERED.join(', ')}`)
  const maxAtoms = readNumber(reading, 'maxAtoms', { least: 1, most: mostAtoms, whole: true })
  const seed = readNumber(reading, 'seed', { least: 0, most: mostSeed, whole: true })
  if (how === 'supercell') return { ordered: { how, maxAtoms: maxAtoms ?? usualAtoms, seed: seed ?? usualSeed } }
  const extra = maxAtoms === undefined ? (seed === undefined ? undefined : 'seed') : 'maxAtoms'
  if (extra !== undefined) throw refuseField(reading, extra, 'left out, unless how is supercell')
  return { ordered: { how } }
}

function readStrain(reading: StepReading): BuildStep {
  assertFields(reading, ['voigt', 'deformation', 'percent'])
  const { strain, deformation: most } = BUILD_LIMITS
  const given = ['voigt', 'deformation', 'percent'].filter((name) => field(reading, name) !== undefined)
  if (given.length !== 1) throw refuseOneOf(reading, ['voigt', 'deformation', 'percent'])
  const [voigt, deformation] = [field(reading, 'voigt'), field(reading, 'deformation')]
  const isStrain = isNumber(-strain, strain)
  if (isJsonArray(voigt) && voigt.length === 6 && voigt.every(isStrain)) return { strain: { voigt } }
  if (voigt !== undefined) {
    throw refuseField(
      reading,
      'voigt',
      `six numbers from -${strain} to ${strain}, xx, yy, zz, yz, xz, xy: [0.01,0,0,0,0,0]`,
    )
  }
  if (isMatrix(deformation, isNumber(-most, most))) return { strain: { deformation } }
  if (deformation !== undefined) {
    throw refuseField(
      reading,
      'deformation',
      `three rows of three numbers from -${most} to ${most}: [[1.01,0,0],[0,1,0],[0,0,1]]`,
    )
  }
  const percent = readNumber(reading, 'percent', { least: -100 * strain, most: 100 * strain }, '%') ?? 0
  return { strain: { percent } }
}

function field({ value }: StepReading, name: string): Json | undefined {
  return ownField(value, name) ?? undefined
}

interface Range {
  readonly least: number
  readonly most: number
  readonly whole?: true
}

function readNumber(reading: StepReading, name: string, range: Range, unit = ''): number | undefined {
  const value = field(reading, name)
  if (value === undefined) return undefined
  const { least, most, whole } = range
  const isRight = whole === true ? isWhole(least, most) : isNumber(least, most)
  if (isRight(value)) return value
  const of = unit === '' ? '' : ` of ${unit}`
  throw refuseField(reading, name, `a ${whole === true ? 'whole number' : 'number'}${of} from ${least} to ${most}`)
}

function isNumber(least: number, most: number) {
  return (value: Json | undefined): value is number => typeof value === 'number' && value >= least && value <= most
}

function isWhole(least: number, most: number) {
  const isWithin = isNumber(least, most)
  return (value: Json | undefined): value is number => isWithin(value) && Number.isInteger(value)
}

function isVector(value: Json | undefined, isEntry: (entry: Json) => boolean): value is Json & Vector3 {
  return isJsonArray(value) && value.length === 3 && value.every(isEntry)
}

function isMatrix(value: Json | undefined, isEntry: (entry: Json) => boolean): value is Json & Matrix3 {
  return isJsonArray(value) && value.length === 3 && value.every((row) => isVector(row, isEntry))
}

function assertFields({ value, path, refuse }: StepReading, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const near = nearestName(unknown, names)
  const guess = near === null ? '' : `; did you mean ${near}?`
  throw refuse(`${path}.${unknown.slice(0, 40)}`, `left out: the fields are ${names.join(', ')}${guess}`)
}

function refuseField({ path, refuse }: StepReading, name: string, expected: string): Error {
  return refuse(`${path}.${name}`, expected)
}

function refuseOneOf({ path, refuse }: StepReading, names: readonly string[]): Error {
  return refuse(path, `an object with one of ${names.join(', ')}, and not two`)
}

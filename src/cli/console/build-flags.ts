import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type Json, type JsonObject } from '../../kernel/json.ts'
import { readBuildSteps } from '../../records/kinds/material/read-build-steps.ts'
import { BUILD_LIMITS, type BuildStep } from '../../structure/building/build-step.ts'
import { STANDARD_CELLS } from '../../structure/symmetry/standard-cell.ts'
import { CLI_ERRORS } from './errors.ts'
import { type OrderedFlags, orderedFlag, orderedTerms, withSupercellTerms } from './ordered-flags.ts'
import { parseTolerance, TOLERANCE_FLAG, TOLERANCE_HELP } from './structure-input.ts'

/** Flags beside those of the steps, each of which belongs to one of them. */
export interface StepFlags extends OrderedFlags {
  readonly tolerance?: number
  readonly layers?: number
  readonly thickness?: number
  readonly vacuum?: number
  readonly termination?: number
  readonly centred: boolean
}

/** A step as it was asked for, and by which flag; what belongs to it is known when all flags have been read. */
interface AskedStep {
  readonly flag: string
  readonly steps: (flags: StepFlags) => readonly Json[]
}

/** Flags that go with a step, by the names that they have in it. */
const OF_SLABS = ['layers', 'thickness', 'vacuum', 'termination'] as const

/** Steps of a build as flags, carried out in the order in which they are given. */
export class BuildFlags {
  readonly #asked: AskedStep[] = []

  /** Adds the flags of all steps to a command. */
  addTo(command: Command): Command {
    const { vacuum } = BUILD_LIMITS
    command
      .option('--supercell <size>', 'repeat: 2x2x1, or nine whole numbers, the rows of a matrix', (text) =>
        this.#ask('--supercell', { supercell: parseSize(text) }),
      )
      .option('--cell <which>', `the standard cell: ${STANDARD_CELLS.join(', ')}`, (cell) =>
        this.#askWith('--cell', ({ tolerance }) => ({ standardCell: { cell, ...given({ tolerance }) } })),
      )
      .option(TOLERANCE_FLAG, TOLERANCE_HELP, parseTolerance)
      .option('--slab <h,k,l>', 'a slab by the Miller indices of its surface: 1,1,0', (text) => {
        const miller = parseNumbers(text, 3)
        return this.#askWith('--slab', (flags) => ({ slab: { miller, ...slabTerms(flags) } }))
      })
      .option('--layers <number>', 'of a slab: repeats of the smallest period along the normal', parseNumber)
      .option(
        '--thickness <angstrom>',
        'of a slab, in place of --layers: the least distance from the lowest to the highest atom',
        parseNumber,
      )
      .option(
        '--vacuum <angstrom>',
        `of a slab: from the highest atom to the lowest of the next image (default: ${vacuum.usual})`,
        parseNumber,
      )
      .option('--termination <number>', 'of a slab: one of the distinct ones, which are told (default: 0)', parseNumber)
      .option('--no-centred', 'of a slab: all of the vacuum is above it')
      .option('--substitute <what>', 'other elements: Ga=Al,As=P for all, or 0,3=Al for sites counted from 0', (text) =>
        this.#ask('--substitute', { substitution: parseSubstitution(text) }),
      )
      .option('--vacancy <sites>', 'leave sites out: 0,3', (text) =>
        this.#ask('--vacancy', { vacancy: { sites: parseNumbers(text) } }),
      )
      .option(
        '--strain <strain>',
        'percent of all lengths: 2%; six numbers of Voigt (xx,yy,zz,yz,xz,xy), 0.01 for 1 %; or nine, a deformation matrix',
        (text) => this.#ask('--strain', { strain: parseStrain(text) }),
      )
      .addOption(
        orderedFlag().argParser((how) =>
          this.#askWith('--ordered', (flags) => ({
            ordered: { ...orderedTerms({ ...flags, ordered: readHow(how) }) },
          })),
        ),
      )
      .option(
        '--steps <json>',
        'steps as JSON, as POST /structures/build takes them, or the name of a file of them',
        (text) => {
          const steps = parseSteps(text)
          this.#asked.push({ flag: '--steps', steps: () => steps })
          return text
        },
      )
    return withSupercellTerms(command)
  }

  /** The steps that were asked for; refuses what they cannot be in the words of the flags. */
  read(flags: StepFlags): readonly BuildStep[] {
    assertBelong(flags, this.#asked)
    const listed = this.#asked.flatMap(({ flag, steps }) => steps(flags).map((step) => ({ flag, step })))
    if (listed.length === 0) {
      throw new AppError(CLI_ERRORS.usage, 'Say what is to be built: --supercell 2x2x1, or another step.', {
        hint: 'quarry build --help shows the steps.',
      })
    }
    const refuse = (path: string, expected: string): Error => {
      const [, index = ''] = /^steps\[(\d+)\]/.exec(path) ?? []
      const flag = listed[Number(index)]?.flag ?? '--steps'
      const what = flag === '--steps' ? path : path.replace(/^steps\[\d+\]\.?\w*\.?/, '')
      return new AppError(CLI_ERRORS.usage, `${flag}: ${what === '' ? 'it' : what} has to be ${expected}.`)
    }
    return readBuildSteps(
      listed.map(({ step }) => step),
      refuse,
    )
  }

  #ask(flag: string, step: JsonObject): string {
    return this.#askWith(flag, () => step)
  }

  #askWith(flag: string, stepOf: (flags: StepFlags) => JsonObject): string {
    this.#asked.push({ flag, steps: (flags) => [stepOf(flags)] })
    return flag
  }
}

function slabTerms(flags: StepFlags): JsonObject {
  return given({ ...Object.fromEntries(OF_SLABS.map((name) => [name, flags[name]])), centred: flags.centred })
}

function given(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Refuses flags of a step that is not asked for. */
function assertBelong(flags: StepFlags, asked: readonly AskedStep[]): void {
  const has = (flag: string): boolean => asked.some((one) => one.flag === flag)
  const ofSlab = [...OF_SLABS.filter((name) => flags[name] !== undefined), ...(flags.centred ? [] : ['no-centred'])]
  const lost: readonly (readonly [string | undefined, string])[] = [
    [ofSlab[0], '--slab'],
    [flags.tolerance === undefined ? undefined : 'tolerance', '--cell'],
    [flags.maxAtoms === undefined ? undefined : 'max-atoms', '--ordered'],
    [flags.seed === undefined ? undefined : 'seed', '--ordered'],
  ]
  for (const [name, step] of lost) {
    if (name !== undefined && !has(step)) throw new AppError(CLI_ERRORS.usage, `--${name}: it goes with ${step} only.`)
  }
}

function readHow(text: string): NonNullable<OrderedFlags['ordered']> {
  if (text === 'majority' || text === 'supercell') return text
  throw new InvalidArgumentError('It is majority or supercell.')
}

function parseSize(text: string): JsonObject {
  const numbers = parseNumbers(text.replaceAll('x', ','))
  if (numbers.length === 3) return { size: numbers }
  if (numbers.length === 9) return { matrix: rowsOf(numbers) }
  throw new InvalidArgumentError('It is a size, 2x2x1, or nine whole numbers: 1,1,0,-1,1,0,0,0,1.')
}

function parseStrain(text: string): JsonObject {
  if (text.endsWith('%')) return { percent: parseNumber(text.slice(0, -1)) }
  const numbers = parseNumbers(text)
  if (numbers.length === 6) return { voigt: numbers }
  if (numbers.length === 9) return { deformation: rowsOf(numbers) }
  throw new InvalidArgumentError('It is a percentage, 2%, six numbers (xx,yy,zz,yz,xz,xy) or nine (a matrix by rows).')
}

function rowsOf(numbers: readonly number[]): Json {
  return [numbers.slice(0, 3), numbers.slice(3, 6), numbers.slice(6)]
}

const SITES_WITH = /^([\d,\s]+)=\s*([A-Za-z]+)\s*$/

function parseSubstitution(text: string): JsonObject {
  const [, sites, element] = SITES_WITH.exec(text) ?? []
  if (sites !== undefined && element !== undefined) return { sites: parseNumbers(sites), with: element }
  const pairs = text.split(',').map((pair) => /^\s*([A-Za-z]+)\s*=\s*([A-Za-z]+)\s*$/.exec(pair))
  if (pairs.every((pair) => pair !== null))
    return { elements: Object.fromEntries(pairs.map(([, from, to]) => [from, to])) }
  throw new InvalidArgumentError('It is elements, Ga=Al,As=P, or sites and an element: 0,3=Al.')
}

function parseNumbers(text: string, count?: number): number[] {
  const numbers = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseNumber)
  if (count !== undefined && numbers.length !== count) throw new InvalidArgumentError(`It is ${count} numbers: 1,1,0.`)
  return numbers
}

function parseNumber(text: string): number {
  const value = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new InvalidArgumentError(`${JSON.stringify(text.slice(0, 20))} is no number.`)
}

/** Reads steps, or a file of them; an object is what a record keeps of its origin. */
function parseSteps(text: string): readonly Json[] {
  let value: Json
  try {
    value = JSON.parse(/^\s*[[{]/.test(text) ? text : readFileSync(text, 'utf8')) as Json
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${(error as Error).message}.`)
  }
  if (isJsonArray(value)) return value
  throw new InvalidArgumentError('It is a list of steps: [{"supercell":{"size":[2,2,1]}}].')
}

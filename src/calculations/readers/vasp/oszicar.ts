import type { Json } from '../../../kernel/json.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import { readNumber, wordsOf } from '../../../structure/formats/common/text.ts'
import { type Calculation, type OutputFormat, type OutputLimits, type OutputReader, scalar } from '../../calculation.ts'
import { FittingResults } from '../../fitting-results.ts'
import { OutputLines } from '../../output-lines.ts'
import { type Energies, energyResults } from './energies.ts'
import { IonicSteps } from './steps.ts'
import { UnusedReport } from './unused-report.ts'

/** OSZICAR of VASP: a line for each electronic step, and one for each ionic step. */
export const oszicarFormat: OutputFormat = {
  name: 'oszicar',
  title: 'VASP OSZICAR',
  fileNames: /(?:^|[^a-z])oszicar(?:[^a-z]|$)/i,
  recognizes: (head) => TITLES.test(head) || head.split('\n', MOST_LINES_OF_HEAD).some((line) => ELECTRONIC.test(line)),
  source: { kind: 'text', open: (limits) => new OszicarReader(limits) },
}

const MOST_LINES_OF_HEAD = 20
/** Titles of the columns of electronic steps. */
const TITLES = /^\ufeff?[ \t]{1,40}N {1,20}E {1,40}dE {1,40}d eps/m
/** Electronic step: the algorithm, its number, the free energy in eV, its change, and that of the eigenvalues. */
const ELECTRONIC = /^\s*([A-Z][A-Za-z]{1,5}):\s*(?:\d+|\*+)\s+(\S+)\s+\S+\s+\S+/
/** Ionic step: its number, and names with values. */
const IONIC = /^\s*(?:\d+|\*+)\s+(?:T|F)\s*=/

/** Energies of the line of an ionic step by the names of vasprun.xml; those of dynamics are named as there. */
const ENERGIES: Readonly<Record<string, string>> = {
  F: 'e_fr_energy',
  E0: 'e_0_energy',
  EK: 'kinetic',
  SP: 'nosepot',
  SK: 'nosekinetic',
  E: 'total',
}

class OszicarReader implements OutputReader {
  readonly #limits: OutputLimits
  readonly #steps: IonicSteps
  readonly #unused = new UnusedReport()
  readonly #lines = new OutputLines((line) => this.#take(line))
  #electronic: number[] = []
  #last: ReadonlyMap<string, readonly number[]> = new Map()

  constructor(limits: OutputLimits) {
    this.#limits = limits
    this.#steps = new IonicSteps(limits.numbers)
  }

  write(text: string): void {
    this.#lines.write(text)
  }

  end(): readonly Calculation[] {
    this.#lines.end()
    if (this.#steps.count === 0 && this.#electronic.length === 0) {
      const message = 'The file has no step of a calculation, and is no OSZICAR.'
      const hint = 'It has lines as "DAV:   1    -0.105E+02 …" and "   1 F= -.106E+02 E0= -.106E+02".'
      throw refusal(FORMAT_ERRORS.malformed, message, { line: 1, hint })
    }
    const isWhole = this.#electronic.length === 0
    const results = new FittingResults(this.#limits.numbers)
    const magnetization = this.#last.get('mag') ?? []
    results.add(
      ...energyResults(this.#numberOf('E0'), energiesOf(this.#last)),
      magnetization.length === 1 ? scalar('total_magnetization', magnetization[0] ?? 0, 'uB') : null,
      ...this.#steps.results(),
    )
    const message = 'The output is not whole: an ionic step has no end.'
    return [
      {
        code: { name: 'vasp', version: null },
        initial: null,
        final: null,
        model: null,
        method: null,
        inputs: {},
        times: {},
        isWhole,
        isConverged: null,
        results: results.all,
        rest: this.#rest(results.leftOut),
        warnings: isWhole ? [] : [{ code: 'output-incomplete', message }],
      },
    ]
  }

  #take(line: string): void {
    if (TITLES.test(line)) return
    if (IONIC.test(line)) {
      this.#takeIonic(line)
      return
    }
    const energy = readNumber(ELECTRONIC.exec(line)?.[2])
    if (energy === undefined) this.#unused.take(line)
    else {
      if (this.#electronic.length < this.#limits.numbers) this.#electronic.push(energy)
      this.#unused.count('changes and residues of electronic steps', '')
    }
  }

  #takeIonic(line: string): void {
    this.#last = fieldsOf(line)
    this.#steps.add(this.#electronic, this.#numberOf('E0'), null)
    this.#electronic = []
  }

  #numberOf(name: string): number | null {
    return this.#last.get(name)?.[0] ?? null
  }

  #rest(results: readonly string[]): Calculation['rest'] {
    const { values, leftOut } = this.#unused.rest
    const others: Record<string, Json> = {}
    for (const [name, numbers] of this.#last) {
      if (Object.hasOwn(ENERGIES, name) || (name === 'mag' && numbers.length === 1)) continue
      others[name] = numbers.length === 1 ? (numbers[0] ?? null) : numbers
    }
    const begun = this.#electronic.length === 0 ? [] : [`electronic steps without an end (${this.#electronic.length})`]
    return { values: { ...others, ...values }, leftOut: [...results, ...this.#steps.leftOut, ...begun, ...leftOut] }
  }
}

function energiesOf(fields: ReadonlyMap<string, readonly number[]>): Energies {
  const energies = new Map<string, number | null>()
  for (const [name, [value]] of fields) {
    if (Object.hasOwn(ENERGIES, name)) energies.set(ENERGIES[name] ?? name, value ?? null)
  }
  return energies
}

/** Longest name of a field; `temperature` would fit. */
const LONGEST_NAME = 12

/** Name at the end of a text: `E0`, `d E`; empty where it is none. */
function nameAt(text: string): string {
  return /(?:d E|[A-Za-z]\w*)$/.exec(text.slice(-LONGEST_NAME))?.[0] ?? ''
}

/** Fields of the line of an ionic step: `F= -.106E+02 E0= -.106E+02  d E =0.000000E+00  mag=  0.0  0.1  1.2`. */
function fieldsOf(line: string): ReadonlyMap<string, readonly number[]> {
  const fields = new Map<string, readonly number[]>()
  const parts = line.split('=', 50).map((part) => part.trim())
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    const name = nameAt(part)
    if (next === undefined || name === '') continue
    const text = index + 2 < parts.length ? next.slice(0, next.length - nameAt(next).length) : next
    const numbers = wordsOf(text).map(readNumber)
    if (numbers.length > 0 && !numbers.includes(undefined))
      fields.set(
        name,
        numbers.filter((number) => number !== undefined),
      )
  }
  return fields
}

import { ownField } from '../../kernel/json.ts'
import { type Crystal, DEFAULT_LIMITS, type Rest, type StructureLimits } from '../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal, withLinesFrom } from '../../structure/errors.ts'
import { type FileFrame, LineSplitter } from '../../structure/formats/common/splitter.ts'
import { LineEnds } from '../../structure/formats/common/text-pieces.ts'
import { parseXyz, xyzFormat } from '../../structure/formats/xyz.ts'
import { XyzBlocks } from '../../structure/formats/xyz-blocks.ts'
import type { Calculation, OutputFormat, OutputLimits, OutputReader } from '../calculation.ts'
import { fittingResults, Remainder, sayAll } from '../remainder.ts'
import { frameResults } from './extended-xyz-results.ts'

/** Names of results in the comment of a frame, and of columns. */
const RESULT = /(?:^|[\s:])(?:\w{1,20}_)?(?:energy|forces?|stress|virials?|magmoms?)(?::R:|\s*=)/i

/** Extended XYZ with results: energies, forces and the like, as ASE and data sets of potentials have them. */
export const extendedXyzFormat: OutputFormat = {
  name: 'extended-xyz',
  title: 'Extended XYZ with results',
  fileNames: /\.(?:ext)?xyz$/i,
  recognizes: (head) => xyzFormat.recognizes(head) && RESULT.test(secondLine(head)),
  source: { kind: 'text', open: (limits) => new ExtendedXyzReader(limits) },
}

function secondLine(head: string): string {
  return head.slice(0, 64 * 1024).split(/\r?\n/, 2)[1] ?? ''
}

/** Reads frame after frame; each that has results is a calculation. */
class ExtendedXyzReader implements OutputReader {
  readonly #limits: OutputLimits
  readonly #structureLimits: StructureLimits
  readonly #ends = new LineEnds()
  readonly #splitter: LineSplitter
  readonly #calculations: Calculation[] = []
  #isStart = true
  #atoms = 0
  /** Frames that say nothing that was computed. */
  #without = 0
  /** The last frame that was read, and the refusal of one that is not whole, which may be the last. */
  #broken: { readonly line: number; readonly error: Error } | null = null

  constructor(limits: OutputLimits) {
    this.#limits = limits
    this.#structureLimits = { ...DEFAULT_LIMITS, atoms: limits.atoms }
    this.#splitter = new LineSplitter(this.#structureLimits, new XyzBlocks(this.#structureLimits))
  }

  write(text: string): void {
    const piece = this.#ends.read(this.#isStart && text.startsWith('\ufeff') ? text.slice(1) : text)
    if (text !== '') this.#isStart = false
    for (const frame of this.#splitter.read(piece)) this.#take(frame)
  }

  end(): readonly Calculation[] {
    for (const frame of this.#splitter.read(this.#ends.read('', true))) this.#take(frame)
    this.#takeLast()
    const last = this.#calculations.at(-1)
    if (last === undefined) throw this.#broken?.error ?? noResults()
    return [...this.#calculations.slice(0, -1), this.#withFile(last)]
  }

  /** Takes the frame at the end of the file, which may be cut. */
  #takeLast(): void {
    for (const frame of this.#splitter.end()) {
      try {
        this.#take(frame)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        this.#broken = { line: frame.line, error }
      }
    }
  }

  #take(frame: FileFrame): void {
    if (frame.refusal !== undefined) throw frame.refusal
    const calculation = withLinesFrom(frame.line, () => calculationOf(frame, this.#structureLimits, this.#limits))
    if (calculation === null) {
      this.#without += 1
      return
    }
    this.#atoms += calculation.final?.sites.length ?? 0
    if (this.#calculations.length >= this.#limits.calculations || this.#atoms > this.#limits.numbers) {
      const { calculations, numbers } = this.#limits
      const message = `The file has more than ${calculations} frames with results, or ${numbers} atoms in them.`
      throw refusal(FORMAT_ERRORS.tooManyFrames, message, { line: frame.line, hint: 'Send it in parts.' })
    }
    this.#calculations.push(calculation)
  }

  /** The last calculation with what is to be said of the file. */
  #withFile(last: Calculation): Calculation {
    const leftOut = [
      ...last.rest.leftOut,
      ...(this.#without === 0 ? [] : [`frames without results (${this.#without})`]),
    ]
    const broken = this.#broken
    const warnings =
      broken === null
        ? []
        : [
            {
              code: 'output-truncated',
              message: `The last frame is left out: ${broken.error.message}`,
              line: broken.line,
            },
          ]
    return { ...last, rest: { ...last.rest, leftOut }, warnings: [...last.warnings, ...warnings] }
  }
}

function noResults(): Error {
  const message = 'No frame has an energy, forces or other results.'
  const hint = 'Import the file as structures, or name results as ASE does: energy=-1.5, forces:R:3.'
  return refusal(FORMAT_ERRORS.unknownFormat, message, { hint })
}

/** The calculation of a frame; nothing where it has no results. */
function calculationOf(frame: FileFrame, structureLimits: StructureLimits, limits: OutputLimits): Calculation | null {
  const crystal = parseXyz(frame.text, { limits: structureLimits })
  const { results, keys, columns, warnings } = frameResults(frame.text, crystal)
  if (results.length === 0) return null
  const remainder = new Remainder()
  const rest = restWithout(crystal, keys, columns)
  sayAll(remainder, rest.values)
  for (const name of rest.leftOut) remainder.leaveOut(name)
  const fitting = fittingResults(results, limits, remainder)
  const structure = withoutRest(crystal)
  return {
    code: { name: 'unknown', version: null },
    initial: structure,
    final: structure,
    model: null,
    method: null,
    inputs: {},
    times: {},
    isWhole: true,
    isConverged: null,
    results: fitting,
    rest: remainder.rest(crystal.sites.length),
    warnings,
  }
}

function withoutRest({ rest: _, ...crystal }: Crystal): Crystal {
  return crystal
}

/** What the reader of structures leaves, without keys and columns that are results. */
function restWithout({ rest }: Crystal, keys: ReadonlySet<string>, columns: ReadonlySet<string>): Rest {
  const { values, leftOut } = rest ?? { values: {}, leftOut: [] }
  const kept = Object.keys(values).filter((key) => !keys.has(key))
  return {
    values: Object.fromEntries(kept.map((key) => [key, ownField(values, key) ?? null])),
    leftOut: leftOut.filter((name) => !columns.has(name.slice(0, name.lastIndexOf(' (')))),
  }
}

import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { DEFAULT_LIMITS } from '../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal, withLinesFrom } from '../../structure/errors.ts'
import type { FileFrame, FrameSplitter } from '../../structure/formats/common/splitter.ts'
import { LineEnds } from '../../structure/formats/common/text-pieces.ts'
import { aseFormat } from '../../structure/formats/json/ase.ts'
import { parseJson, wrongField } from '../../structure/formats/json/json-fields.ts'
import type { Calculation, OutputFormat, OutputLimits, OutputReader } from '../calculation.ts'
import { calculationOfRow } from './ase-row.ts'
import { parsePythonJson } from './shallow-json.ts'

/** Rows of a database of ASE that is a JSON file, or a single row. */
export const aseJsonFormat: OutputFormat = {
  name: 'ase-json',
  title: 'ASE database as JSON',
  fileNames: /\.json$/i,
  recognizes: (head) => aseFormat.recognizes(head) && /"(?:energy|forces|stress|magmoms?)"\s*:/.test(head),
  source: { kind: 'text', open: (limits) => new AseJsonReader(limits) },
}

/** Reads row after row; each that has results is a calculation. */
class AseJsonReader implements OutputReader {
  readonly #limits: OutputLimits
  readonly #ends = new LineEnds()
  readonly #splitter: FrameSplitter
  readonly #calculations: Calculation[] = []
  #isStart = true
  #without = 0
  #atoms = 0

  constructor(limits: OutputLimits) {
    this.#limits = limits
    const splitter = aseFormat.splitter?.({ ...DEFAULT_LIMITS, atoms: limits.atoms })
    if (splitter === undefined) throw new Error('rows of ASE are not taken apart')
    this.#splitter = splitter
  }

  write(text: string): void {
    const piece = this.#ends.read(this.#isStart && text.startsWith('\ufeff') ? text.slice(1) : text)
    if (text !== '') this.#isStart = false
    for (const frame of this.#splitter.read(piece)) this.#take(frame)
  }

  end(): readonly Calculation[] {
    for (const frame of this.#splitter.read(this.#ends.read('', true))) this.#take(frame)
    const cut = this.#endOfRows()
    const last = this.#calculations.at(-1)
    if (last === undefined) throw cut ?? noResults()
    const message = `Rows behind the last one may be missing: ${cut?.message ?? ''}`
    const warnings = cut === null ? [] : [{ code: 'output-truncated', message }]
    const leftOut = this.#without === 0 ? [] : [`rows without results (${this.#without})`]
    const told = {
      ...last,
      rest: { ...last.rest, leftOut: [...last.rest.leftOut, ...leftOut] },
      warnings: [...last.warnings, ...warnings],
    }
    return [...this.#calculations.slice(0, -1), told]
  }

  /** Takes the end of the file; gives the refusal of one that is cut. */
  #endOfRows(): Error | null {
    try {
      for (const frame of this.#splitter.end()) this.#take(frame)
      return null
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }

  #take(frame: FileFrame): void {
    if (frame.refusal !== undefined) throw frame.refusal
    const row = withLinesFrom(frame.line, () => rowOf(frame.text))
    const calculation = row === null ? null : calculationOfRow(row, this.#limits)
    if (calculation === null) {
      this.#without += 1
      return
    }
    this.#atoms += calculation.final?.sites.length ?? 0
    if (this.#calculations.length >= this.#limits.calculations || this.#atoms > this.#limits.numbers) {
      const { calculations, numbers } = this.#limits
      const message = `The file has more than ${calculations} rows with results, or ${numbers} atoms in them.`
      throw refusal(FORMAT_ERRORS.tooManyFrames, message, { line: frame.line, hint: 'Send it in parts.' })
    }
    this.#calculations.push(calculation)
  }
}

function noResults(): Error {
  const message = 'No row has an energy, forces or other results.'
  const hint = 'Import the file as structures, or write the atoms with their calculator.'
  return refusal(FORMAT_ERRORS.unknownFormat, message, { hint })
}

/** The row of a document, with its number as `id`; a document may be a row itself. Null where there is none. */
function rowOf(text: string): JsonObject | null {
  const document = parsePythonJson(text) ?? parseJson(text)
  if (!isJsonObject(document)) throw wrongField('The document', document, 'an object')
  if (ownField(document, 'numbers') !== undefined) return document
  const key = Object.keys(document).find((name) => /^\d+$/.test(name))
  const row = key === undefined ? undefined : ownField(document, key)
  return isJsonObject(row) ? { ...row, id: Number(key) } : null
}

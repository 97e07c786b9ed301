import { AppError } from '../../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, setOwnField } from '../../../kernel/json.ts'
import { type Crystal, DEFAULT_LIMITS, type Rest, type StructureWarning } from '../../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal, withLinesFrom } from '../../../structure/errors.ts'
import type { StructureFormat } from '../../../structure/formats/common/format.ts'
import { settleRest } from '../../../structure/formats/common/rest.ts'
import { parseJson, restOf, wrongField } from '../../../structure/formats/json/json-fields.ts'
import type { Calculation, OutputLimits, OutputReader, Result } from '../../calculation.ts'
import { JsonList } from './json-list.ts'
import { NumberBudget } from './number-budget.ts'

/** A record of a database. */
export interface DatabaseRecord {
  /** Name under which the file has it, where the file names its records. */
  readonly name: string | undefined
  /** Structure that the record has; null where it has none that can be read. */
  readonly crystal: Crystal | null
  /** All of the record but its structure; what is taken from it (`json-fields`) is no part of the rest. */
  readonly fields: JsonObject
}

/** Program of records that do not say theirs. */
export const UNKNOWN_CODE: Calculation['code'] = { name: 'unknown', version: null }

/** What a record says, in terms of a calculation; the reader adds the structure, the rest, and what nobody has said. */
export interface RecordReading extends Partial<Omit<Calculation, 'rest' | 'final' | 'warnings' | 'results'>> {
  readonly code: Calculation['code']
  readonly results: readonly Result[]
  readonly warnings?: readonly StructureWarning[]
}

/** Kind of records: how to tell one, its structure, and what it says. */
export interface DatabaseKind {
  /** What a record is called in messages. */
  readonly title: string
  /** Names under which a document has its list of records. */
  readonly lists: readonly string[]
  readonly isRecord: (record: JsonObject) => boolean
  readonly hasStructure: (record: JsonObject) => boolean
  /** Format that reads the structure out of the text of a record. */
  readonly structures: StructureFormat
  /** Calculations that a record is of; the first has all that no reader has used. */
  readonly read: (record: DatabaseRecord) => readonly RecordReading[]
}

/** Most characters of one record, of which structures are the largest part. */
const LONGEST_RECORD = DEFAULT_LIMITS.textLength

/** Reads records that a JSON document is, or has in a list, or under names of their own. */
export class JsonRecords implements OutputReader {
  readonly #kind: DatabaseKind
  readonly #limits: OutputLimits
  readonly #list: JsonList
  readonly #budget: NumberBudget
  readonly #calculations: Calculation[] = []
  /** The first structure that could not be read. */
  #refusal: AppError | null = null
  #hasStructure = false

  constructor(kind: DatabaseKind, limits: OutputLimits) {
    this.#kind = kind
    this.#limits = limits
    this.#budget = new NumberBudget(limits.numbers)
    this.#list = new JsonList(kind.lists, LONGEST_RECORD)
  }

  write(text: string): void {
    for (const { text: element, line } of this.#list.read(text)) this.#read(element, line)
  }

  end(): readonly Calculation[] {
    if (this.#list.isWhole) this.#readEnvelope()
    else if (this.#calculations.length === 0) parseJson(this.#list.envelope)
    else this.#tellThatItIsCut()
    if (this.#refusal !== null && !this.#hasStructure && this.#calculations.length === 1) throw this.#refusal
    if (this.#calculations.length === 0)
      throw refusal(FORMAT_ERRORS.noStructure, `The file has no ${this.#kind.title}.`)
    return this.#calculations
  }

  #read(text: string, line: number): void {
    withLinesFrom(line, () => {
      const value = parseJson(text)
      if (!isJsonObject(value)) throw wrongField(this.#kind.title, value, 'an object')
      this.#readRecord(value, text, undefined)
    })
  }

  #readRecord(record: JsonObject, text: string, name: string | undefined): void {
    const { isRecord, hasStructure, read, title } = this.#kind
    if (!isRecord(record)) {
      const names = Object.keys(record).slice(0, 8).join(', ')
      throw refusal(FORMAT_ERRORS.malformed, `An object with ${names} is no ${title}.`)
    }
    const { crystal, warnings } = hasStructure(record) ? this.#structureOf(text) : { crystal: null, warnings: [] }
    const fields = crystal?.rest?.values ?? record
    const readings = read({ name, crystal, fields })
    const rest = restOf(fields)
    for (const [index, reading] of readings.entries()) {
      if (this.#calculations.length >= this.#limits.calculations) throw tooMany(this.#limits.calculations)
      const own: Rest =
        index === 0 ? { values: rest.values, leftOut: [...leftOutOf(crystal), ...rest.leftOut] } : NOTHING
      this.#calculations.push(this.#calculationOf(reading, crystal, own, index === 0 ? warnings : []))
    }
  }

  #structureOf(text: string): { readonly crystal: Crystal | null; readonly warnings: readonly StructureWarning[] } {
    try {
      const { atoms } = this.#limits
      const crystal = this.#kind.structures.parse(text, { limits: { atoms, textLength: LONGEST_RECORD } })
      this.#hasStructure = true
      return { crystal, warnings: [] }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#refusal ??= error
      return { crystal: null, warnings: [{ code: 'structure-not-read', message: `No structure: ${error.message}` }] }
    }
  }

  #calculationOf(
    reading: RecordReading,
    crystal: Crystal | null,
    rest: Rest,
    warnings: readonly StructureWarning[],
  ): Calculation {
    const { results, beyond } = this.#budget.keep(reading.results)
    const final = crystal === null ? null : withoutRest(crystal)
    return {
      initial: null,
      model: null,
      method: null,
      inputs: {},
      times: {},
      isWhole: true,
      isConverged: null,
      ...reading,
      final,
      results,
      rest: settleRest({ values: rest.values, leftOut: [...rest.leftOut, ...beyond] }, crystal?.sites.length ?? -1),
      warnings: [...warnings, ...(reading.warnings ?? [])],
    }
  }

  /** Reads what is around the list; where there was no list, the document is a record, or has records under their names. */
  #readEnvelope(): void {
    const text = this.#list.envelope
    const document = parseJson(text)
    if (!isJsonObject(document)) {
      if (isJsonArray(document)) return
      throw wrongField('The document', document, `an object or a list of ${this.#kind.title}s`)
    }
    if (this.#calculations.length > 0) this.#addToRest(document)
    else if (this.#kind.isRecord(document)) this.#readRecord(document, text, undefined)
    else this.#readNamed(document, text)
  }

  #readNamed(document: JsonObject, text: string): void {
    const { isRecord } = this.#kind
    const others: Record<string, Json> = {}
    for (const [name, value] of Object.entries(document)) {
      if (isJsonObject(value) && isRecord(value)) this.#readRecord(value, JSON.stringify(value), name)
      else setOwnField(others, name, value)
    }
    if (this.#calculations.length > 0) this.#addToRest(others)
    else if (!isEmptyList(document, this.#kind.lists)) this.#readRecord(document, text, undefined)
  }

  /** What the document says of all of its records is in the rest of the first. */
  #addToRest(document: JsonObject): void {
    const [first] = this.#calculations
    if (first === undefined) return
    const values: Record<string, Json> = {}
    for (const [name, value] of Object.entries(document))
      if (!this.#kind.lists.includes(name)) setOwnField(values, name, value)
    const { values: kept, leftOut } = settleRest({ values, leftOut: [] }, -1)
    this.#calculations[0] = {
      ...first,
      rest: { values: { ...kept, ...first.rest.values }, leftOut: [...first.rest.leftOut, ...leftOut] },
    }
  }

  #tellThatItIsCut(): void {
    const last = this.#calculations.pop()
    if (last === undefined) return
    const message = 'The file ends within its list of records: those behind this one are missing.'
    this.#calculations.push({
      ...last,
      isWhole: false,
      warnings: [...last.warnings, { code: 'file-cut-off', message }],
    })
  }
}

const NOTHING: Rest = { values: {}, leftOut: [] }

function leftOutOf(crystal: Crystal | null): readonly string[] {
  return crystal?.rest?.leftOut ?? []
}

function withoutRest({ rest: _, ...crystal }: Crystal): Crystal {
  return crystal
}

function isEmptyList(document: JsonObject, lists: readonly string[]): boolean {
  return Object.entries(document).some(([name, value]) => lists.includes(name) && isJsonArray(value))
}

function tooMany(most: number): Error {
  const message = `The file has more than ${most} calculations, which is the most that can be read of one file.`
  return refusal(FORMAT_ERRORS.tooManyFrames, message, { hint: 'Send the file in parts.' })
}

import { type Json, type JsonObject, setOwnField } from '../../kernel/json.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import { shorten } from '../../structure/formats/common/text.ts'
import type { Calculation, OutputFormat, OutputLimits, StoredOutput } from '../calculation.ts'
import { calculationOfRow } from '../readers/ase-row.ts'
import { parsePythonJson } from '../readers/shallow-json.ts'
import { dataOfBlob, floatsOf, integersOf, rowsOf } from './ase-blobs.ts'
import { openSent, type SentDatabase, type SentRow, type SentValue } from './sent-database.ts'
import { SQLITE_MAGIC } from './untrusted-database.ts'

/** Database of ASE in a file of SQLite, in the versions 4 to 9 of its tables. */
export const aseDatabaseFormat: OutputFormat = {
  name: 'ase-database',
  title: 'ASE database',
  fileNames: /\.db$/i,
  recognizes: (head) => head.startsWith(SQLITE_MAGIC) && /CREATE TABLE systems\b/i.test(head),
  source: { kind: 'file', read: readDatabase },
}

const ROWS = 'systems'
/** Tables that repeat what rows say, for queries, and those of SQLite. */
const KNOWN_TABLES = new Set([ROWS, 'species', 'keys', 'text_key_values', 'number_key_values', 'information'])
const NEWEST_VERSION = 9

/** Gives the rows that have results, one by one. */
async function* readDatabase(output: StoredOutput, limits: OutputLimits): AsyncGenerator<Calculation> {
  const database = await openSent(output)
  try {
    if (!database.tables.includes(ROWS)) throw noRows()
    let held: Calculation | null = null
    let [count, without] = [0, 0]
    for (const row of database.rows(ROWS, bytesOf(limits))) {
      const calculation = calculationOf(row, limits)
      if (calculation === null) without += 1
      else {
        if (held !== null) yield held
        count += 1
        if (count > limits.calculations) throw tooMany(limits)
        held = count === 1 ? withDatabase(calculation, database) : calculation
      }
    }
    if (held === null) throw noResults()
    const leftOut = without === 0 ? [] : [`rows without results (${without})`]
    yield { ...held, rest: { ...held.rest, leftOut: [...held.rest.leftOut, ...leftOut] } }
  } finally {
    database.close()
  }
}

function noRows(): Error {
  const hint = 'Send a database that ase.db has written.'
  return refusal(FORMAT_ERRORS.unknownFormat, 'The database has no table of systems.', { hint })
}

function noResults(): Error {
  const hint = 'Write the atoms with their calculator.'
  return refusal(FORMAT_ERRORS.unknownFormat, 'No row has an energy, forces or other results.', { hint })
}

function tooMany({ calculations }: OutputLimits): Error {
  const message = `The database has more than ${calculations} rows with results.`
  return refusal(FORMAT_ERRORS.tooManyFrames, message, { hint: 'Send it in parts.' })
}

const VERSION = 'version'
const MOST_NOTES = 10

/** Adds what the database says of itself: notes such as `metadata`, and tables that are not read. */
function withDatabase(calculation: Calculation, database: SentDatabase): Calculation {
  const values: Record<string, Json> = {}
  const warnings: StructureWarning[] = []
  let notes = 0
  for (const row of database.tables.includes('information') ? database.rows('information', () => NOTE_BYTES) : []) {
    const [name, value] = [row.get('name')?.value, row.get('value')?.value]
    notes += 1
    if (notes > MOST_NOTES) break
    if (typeof name !== 'string' || typeof value !== 'string') continue
    if (name !== VERSION) values[`database ${shorten(name, 60)}`] = parsePythonJson(value) ?? value
    else if (Number(value) > NEWEST_VERSION) {
      const message = `The database is of version ${shorten(value)}; versions up to ${NEWEST_VERSION} are known.`
      warnings.push({ code: 'database-newer', message })
    }
  }
  const tables = database.tables.filter((name) => !KNOWN_TABLES.has(name) && !name.startsWith('sqlite_'))
  const unread = database.unreadColumnsOf(ROWS)
  const leftOut = [
    ...tables.map((name) => `table ${shorten(name, 60)}`),
    ...(unread === 0 ? [] : [`columns that are computed, or too many (${unread})`]),
  ]
  const { rest } = calculation
  return {
    ...calculation,
    rest: { values: { ...rest.values, ...values }, leftOut: [...rest.leftOut, ...leftOut] },
    warnings: [...calculation.warnings, ...warnings],
  }
}

const NOTE_BYTES = 4 * 1024
const TEXT_BYTES = 1024 * 1024
const DATA_BYTES = 4 * 1024 * 1024
const OTHER_BYTES = 64 * 1024
const TEXTS = new Set(['constraints', 'calculator_parameters', 'key_value_pairs'])

/** Numbers of each atom in columns of reals. */
const REALS: ReadonlyMap<string, number> = new Map([
  ['positions', 3],
  ['momenta', 3],
  ['forces', 3],
  ['initial_magmoms', 1],
  ['magmoms', 1],
  ['initial_charges', 1],
  ['charges', 1],
  ['masses', 1],
  ['cell', 3],
  ['stress', 1],
  ['dipole', 1],
])
const INTEGERS = new Set(['numbers', 'tags'])
/** Columns in which all components of vectors stand one after the other where moments have directions. */
const MOMENTS = new Set(['initial_magmoms', 'magmoms'])

/** Bytes that are read of each column: as much as the largest structure needs. */
function bytesOf({ atoms }: OutputLimits): (column: string) => number {
  return (column) => {
    if (column === 'data') return DATA_BYTES
    if (TEXTS.has(column)) return TEXT_BYTES
    if (REALS.has(column)) return Math.max(9, 3 * atoms) * 8
    return INTEGERS.has(column) ? atoms * 8 : OTHER_BYTES
  }
}

/** The calculation of a row; nothing where it has no results. */
function calculationOf(row: SentRow, limits: OutputLimits): Calculation | null {
  const fields: Record<string, Json> = {}
  const leftOut: string[] = []
  const count = (row.get('numbers')?.size ?? 0) / 4
  if (count > limits.atoms) {
    const message = `The structure has ${count} atoms; at most ${limits.atoms} can be stored.`
    throw refusal(FORMAT_ERRORS.tooManyAtoms, message)
  }
  for (const [column, cell] of row) {
    const value = cell.size === null ? null : fieldOf(column, cell, count)
    if (value === undefined) leftOut.push(`${shorten(column)} (${cell.size} bytes)`)
    else if (value !== null) setOwnField(fields, NAMES.get(column) ?? column, value)
  }
  const calculation = calculationOfRow(withoutEmpty(fields), limits)
  if (calculation === null) return null
  return { ...calculation, rest: { ...calculation.rest, leftOut: [...calculation.rest.leftOut, ...leftOut] } }
}

/** Names of columns that rows call otherwise. */
const NAMES: ReadonlyMap<string, string> = new Map([['username', 'user']])

/** The value of a column; undefined where it cannot be read. */
function fieldOf(column: string, { value }: SentValue, count: number): Json | undefined {
  if (value === null) return undefined
  if (column === 'pbc' && typeof value === 'number') return [1, 2, 4].map((bit) => (value & bit) !== 0)
  if (column === 'data') return Buffer.isBuffer(value) ? dataOfBlob(value) : parsed(value)
  if (TEXTS.has(column)) return parsed(value)
  if (!Buffer.isBuffer(value)) return value
  if (INTEGERS.has(column)) return integersOf(value)
  const width = REALS.get(column)
  if (width === undefined) return undefined
  const numbers = floatsOf(value)
  const isOfVectors = MOMENTS.has(column) && count > 0 && numbers.length === 3 * count
  return width === 3 || isOfVectors ? rowsOf(numbers, 3) : numbers
}

function parsed(value: string | number | Buffer): Json | undefined {
  return typeof value === 'string' ? parsePythonJson(value) : undefined
}

/** Without what says nothing: `{}`, which rows have for no pairs. */
function withoutEmpty(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => !(typeof value === 'object' && value !== null && Object.keys(value).length === 0),
    ),
  )
}

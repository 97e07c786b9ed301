import type { Json } from '../../kernel/json.ts'
import type { Rest, StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { Matrix3, Vector3 } from '../linear-algebra.ts'
import { NamedValues, valueOfText } from './common/rest.ts'
import { disordered, isWhole } from './common/species.ts'
import { readCount, readNumber, requireNumber, shorten, wordsOf } from './common/text.ts'
import { readIpiComment } from './ipi-comment.ts'

/** Second line of an XYZ frame. */
export interface XyzComment {
  /** Counted from 1. */
  readonly line: number
  readonly title: string
  readonly lattice?: Matrix3
  /** Unit of the places, in Å, where it is another. */
  readonly unit?: number
  readonly warnings?: readonly StructureWarning[]
  readonly periodic?: readonly [boolean, boolean, boolean]
  /** The value of `Properties`: names, types and widths of the columns. */
  readonly properties?: string
  /** All that the line says, by its names. */
  readonly values: NamedValues<string>
}

/** Words of a row that belong to one property. */
export interface XyzColumn {
  readonly start: number
  readonly width: number
}

const KEY_VALUE =
  /(?<![\w.-])([A-Za-z_][\w.-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|\{([^}]*)\}|(\[[^=]*\])|([^\s"'{[]\S*))/g

const READ_KEYS = new Set(['lattice', 'properties', 'pbc', 'title', 'name'])

const LONGEST_COMMENT = 20_000

/** Reads the comment line; a line without `Lattice` or `Properties` is a title and nothing else. */
export function readComment(line: string, number: number): XyzComment {
  if (line.length > LONGEST_COMMENT) {
    const message = `The comment has ${line.length} characters; at most ${LONGEST_COMMENT} are read.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line: number })
  }
  const values = new NamedValues<string>()
  const ofIpi = readIpiComment(line, number)
  if (ofIpi !== undefined) {
    for (const [name, value] of ofIpi.values) values.set(name, value)
    return { line: number, title: '', ...ofIpi, values }
  }
  if (!/(?:^|\s)(?:lattice|properties)\s*=/i.test(line)) return { line: number, title: line.trim(), values }
  for (const match of line.matchAll(KEY_VALUE)) {
    const value = match.slice(2).find((part) => part !== undefined) ?? ''
    const name = match[1] as string
    values.set(READ_KEYS.has(name.toLowerCase()) ? name.toLowerCase() : name, value)
  }
  const lattice = values.get('lattice')
  const periodic = values.get('pbc')
  const properties = values.get('properties')
  return {
    line: number,
    title: (values.has('title') ? values.get('title') : values.get('name')) ?? '',
    values,
    ...(lattice === undefined ? {} : { lattice: readLattice(lattice, number) }),
    ...(periodic === undefined ? {} : { periodic: readFlags(periodic, number) }),
    ...(properties === undefined ? {} : { properties }),
  }
}

/** Columns of species, places and free directions, and, by name, of the rest. */
export interface Columns {
  readonly species: XyzColumn
  readonly position: XyzColumn
  readonly others: NamedValues<XyzColumn>
}

const SPECIES = ['species', 'element', 'symbols', 'z', 'numbers']
const POSITIONS = ['pos', 'positions']
const READ_COLUMNS = new Set([...SPECIES, ...POSITIONS])

export function columnsOf(comment: XyzComment, line: number): Columns {
  const found = new NamedValues<XyzColumn>()
  if (comment.properties === undefined)
    return { species: { start: 0, width: 1 }, position: { start: 1, width: 3 }, others: found }
  const parts = comment.properties.split(':')
  let start = 0
  for (let index = 0; index + 2 < parts.length; index += 3) {
    const width = readCount(parts[index + 2])
    if (width === undefined || width < 1) break
    const name = parts[index] ?? ''
    found.set(READ_COLUMNS.has(name.toLowerCase()) ? name.toLowerCase() : name, { start, width })
    start += width
  }
  const [species, position] = [SPECIES, POSITIONS].map((names) =>
    found.get(names.find((name) => found.has(name)) ?? ''),
  )
  if (species === undefined || position?.width !== 3) {
    const message = `Properties "${shorten(comment.properties)}" names no species or no position.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line, hint: 'Use Properties=species:S:1:pos:R:3.' })
  }
  return { species, position, others: found }
}

/** Nine numbers, vector after vector, or three edges of a right-angled box; also as nested lists. */
function readLattice(text: string, line: number): Matrix3 {
  const place = { line, hint: 'Lattice="ax ay az bx by bz cx cy cz" gives three vectors in ångström.' }
  const numbers = wordsOf(text.replace(/[[\],{}]/g, ' ')).map((word) =>
    requireNumber(word, 'A lattice component', place),
  )
  if (numbers.length === 3) {
    const [a, b, c] = numbers as [number, number, number]
    return [
      [a, 0, 0],
      [0, b, 0],
      [0, 0, c],
    ]
  }
  if (numbers.length !== 9) {
    throw refusal(FORMAT_ERRORS.malformed, `The lattice has ${numbers.length} numbers, not nine.`, place)
  }
  return [0, 3, 6].map((start) => numbers.slice(start, start + 3) as unknown as Vector3) as unknown as Matrix3
}

function readFlags(text: string, line: number): readonly [boolean, boolean, boolean] {
  const flags = wordsOf(text.replace(/[[\],]/g, ' ')).map((word) =>
    /^(?:t|true|1)$/i.test(word) ? true : /^(?:f|false|0)$/i.test(word) ? false : undefined,
  )
  const [a, b = a, c = a] = flags
  if (a === undefined || b === undefined || c === undefined || flags.length === 2 || flags.length > 3) {
    throw refusal(FORMAT_ERRORS.malformed, `pbc="${shorten(text)}" is not three flags T or F.`, { line })
  }
  return [a, b, c]
}

/** Names that programs give to columns. */
const MOMENTS = ['magmom', 'moment', 'magnetic_moment', 'spin'].flatMap((name) =>
  ['', 'initial_', 'total_'].flatMap((kind) => [`${kind}${name}`, `${kind}${name}s`]),
)
const MASSES = ['mass', 'masses']
const OCCUPATIONS = ['occ', 'occu', 'occupancy', 'occupancies', 'occupation', 'occupations']

/** Takes the first of the columns that a file may have for a quantity. */
function takeColumn(
  { others }: Columns,
  names: readonly string[],
  fits: (width: number) => boolean,
): XyzColumn | undefined {
  for (const name of names) if (others.has(name) && fits(others.peek(name)?.width ?? 0)) return others.get(name)
  return undefined
}

/** The column of the moments of the atoms: one number along z, or a vector. */
export function momentColumn(columns: Columns): XyzColumn | undefined {
  return takeColumn(columns, MOMENTS, (width) => width === 1 || width === 3)
}

export function massColumn(columns: Columns): XyzColumn | undefined {
  return takeColumn(columns, MASSES, (width) => width === 1)
}

/** The moment in a row; nothing where it is 0. */
export function readMoment(words: readonly string[], { start, width }: XyzColumn): Vector3 | undefined {
  const numbers = words.slice(start, start + width).map((word) => readNumber(word) ?? 0)
  if (numbers.every((number) => number === 0)) return undefined
  const [x = 0, y = 0, z = 0] = numbers
  return width === 1 ? [0, 0, x] : [x, y, z]
}

/** Refuses rows that a column of shares calls less than whole. */
export function refusePartialRows(rows: readonly (readonly string[])[], columns: Columns, firstLine: number): void {
  const column = takeColumn(columns, OCCUPATIONS, (width) => width === 1)
  if (column === undefined) return
  const index = rows.findIndex((words) => !isWhole(readNumber(words[column.start])))
  if (index === -1) return
  const share = shorten(rows[index]?.[column.start] ?? '')
  throw disordered(`The atom has the occupancy ${share}.`, { line: firstLine + index })
}

/** What the comment says beside, and the columns that are not read, but for those that are 0 throughout. */
export function restOfXyz(rows: readonly (readonly string[])[], { others }: Columns, { values }: XyzComment): Rest {
  const columns = others.rest.filter(([, { start, width }]) =>
    rows.some((words) => words.slice(start, start + width).some((word) => readNumber(word) !== 0)),
  )
  return {
    values: Object.fromEntries(values.rest.map(([name, text]) => [name, valueOfWords(text)])),
    leftOut: columns.map(([name, { width }]) => `${shorten(name)} (${rows.length}${width === 1 ? '' : ` × ${width}`})`),
  }
}

/** One value, or the numbers of a list: `"1 0 0"`, `[[1, 0], [0, 1]]`. */
function valueOfWords(text: string): Json {
  const words = wordsOf(text.replace(/[[\],{}]/g, ' '))
  const list = words.map(valueOfText)
  return words.length > 1 && list.every((value) => typeof value === 'number') ? list : valueOfText(text)
}

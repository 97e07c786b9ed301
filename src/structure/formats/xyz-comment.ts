import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { Matrix3, Vector3 } from '../linear-algebra.ts'
import { DroppedQuantities, type DroppedQuantity } from './common/format.ts'
import { disordered, isWhole } from './common/species.ts'
import { readCount, readNumber, requireNumber, shorten, wordsOf } from './common/text.ts'

/** Second line of an XYZ frame. */
export interface XyzComment {
  readonly title: string
  /** Whether the line has the `key=value` form of extended XYZ. */
  readonly extended: boolean
  readonly lattice?: Matrix3
  readonly periodic?: readonly [boolean, boolean, boolean]
  /** The value of `Properties`: names, types and widths of the columns. */
  readonly properties?: string
  /** All that the line says, by names in small letters. */
  readonly values: ReadonlyMap<string, string>
}

/** Words of a row that belong to one property. */
export interface XyzColumn {
  readonly start: number
  readonly width: number
}

const KEY_VALUE =
  /(?<![\w.-])([A-Za-z_][\w.-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|\{([^}]*)\}|(\[[^=]*\])|([^\s"'{[]\S*))/g

const LONGEST_COMMENT = 20_000

/** Reads the comment line; a line without `Lattice` or `Properties` is a title and nothing else. */
export function readComment(line: string, number: number): XyzComment {
  if (line.length > LONGEST_COMMENT) {
    const message = `The comment has ${line.length} characters; at most ${LONGEST_COMMENT} are read.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line: number })
  }
  if (!/(?:^|\s)(?:lattice|properties)\s*=/i.test(line))
    return { title: line.trim(), extended: false, values: new Map() }
  const values = new Map<string, string>()
  for (const match of line.matchAll(KEY_VALUE)) {
    const value = match.slice(2).find((part) => part !== undefined) ?? ''
    values.set((match[1] as string).toLowerCase(), value)
  }
  const lattice = values.get('lattice')
  const periodic = values.get('pbc')
  const properties = values.get('properties')
  return {
    title: values.get('title') ?? values.get('name') ?? '',
    extended: true,
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
  readonly movable?: XyzColumn
  readonly others: ReadonlyMap<string, XyzColumn>
}

const PLAIN: Columns = { species: { start: 0, width: 1 }, position: { start: 1, width: 3 }, others: new Map() }

const READ = ['species', 'pos', 'move_mask']

export function columnsOf(comment: XyzComment, line: number): Columns {
  if (comment.properties === undefined) return PLAIN
  const parts = comment.properties.split(':')
  const found = new Map<string, XyzColumn>()
  let start = 0
  for (let index = 0; index + 2 < parts.length; index += 3) {
    const width = readCount(parts[index + 2])
    if (width === undefined || width < 1) break
    found.set((parts[index] ?? '').toLowerCase(), { start, width })
    start += width
  }
  const species =
    found.get('species') ?? found.get('element') ?? found.get('symbols') ?? found.get('z') ?? found.get('numbers')
  const position = found.get('pos') ?? found.get('positions')
  const movable = found.get('move_mask')
  for (const name of READ) found.delete(name)
  if (species === undefined || position?.width !== 3) {
    const message = `Properties "${shorten(comment.properties)}" names no species or no position.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line, hint: 'Use Properties=species:S:1:pos:R:3.' })
  }
  return { species, position, ...(movable === undefined ? {} : { movable }), others: found }
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

/** A row of an XYZ file, taken apart at white space, and the element that it was read as. */
export interface XyzWords {
  readonly element: string
  readonly words: readonly string[]
}

/** Names that programs give to columns and to values of the comment. */
const MOMENTS = new Set(
  ['magmom', 'moment', 'magnetic_moment', 'spin'].flatMap((name) =>
    ['', 'initial_', 'total_'].flatMap((kind) => [`${kind}${name}`, `${kind}${name}s`]),
  ),
)
const MASSES = new Set(['mass', 'masses'])
const OCCUPATIONS = new Set(['occ', 'occu', 'occupancy', 'occupancies', 'occupation', 'occupations'])

/** Notes what the file has beside elements and places and is not kept. */
export function droppedOfXyz(rows: readonly XyzWords[], columns: Columns, { values }: XyzComment): DroppedQuantities {
  const dropped = new DroppedQuantities()
  for (const { words, element } of rows) dropped.noteType(words[columns.species.start] ?? '', element)
  const moments = momentColumn(columns)
  for (const [name, column] of columns.others) {
    const { start, width } = column
    const quantity = column === moments ? undefined : quantityNamed(name)
    const isGiven = ({ words }: XyzWords): boolean =>
      words.slice(start, start + width).some((word) => (readNumber(word) ?? 0) !== 0)
    if (quantity !== undefined && rows.some(isGiven)) dropped.note(quantity, name)
    if (MASSES.has(name)) for (const { words, element } of rows) dropped.noteMass(element, readNumber(words[start]))
  }
  for (const [name, text] of values) {
    const quantity = quantityNamed(name)
    if (quantity !== undefined && (readNumber(text) ?? 0) !== 0) dropped.note(quantity, name)
  }
  return dropped
}

/** The column of the moments of the atoms: one number along z, or a vector. */
export function momentColumn({ others }: Columns): XyzColumn | undefined {
  return [...others].find(([name, { width }]) => MOMENTS.has(name) && (width === 1 || width === 3))?.[1]
}

/** The moment in a row; nothing where it is 0. */
export function readMoment(words: readonly string[], { start, width }: XyzColumn): Vector3 | undefined {
  const numbers = words.slice(start, start + width).map((word) => readNumber(word) ?? 0)
  if (numbers.every((number) => number === 0)) return undefined
  const [x = 0, y = 0, z = 0] = numbers
  return width === 1 ? [0, 0, x] : [x, y, z]
}

function quantityNamed(name: string): DroppedQuantity | undefined {
  if (MOMENTS.has(name)) return 'Magnetic moments'
  return name === 'q' || name.endsWith('charge') || name.endsWith('charges') ? 'Charges' : undefined
}

/** Refuses rows that a column of shares calls less than whole. */
export function refusePartialRows(rows: readonly XyzWords[], { others }: Columns, firstLine: number): void {
  for (const [name, { start }] of others) {
    if (!OCCUPATIONS.has(name)) continue
    const index = rows.findIndex(({ words }) => !isWhole(readNumber(words[start])))
    if (index === -1) continue
    const share = shorten(rows[index]?.words[start] ?? '')
    throw disordered(`The atom has ${name} ${share}.`, { line: firstLine + index })
  }
}

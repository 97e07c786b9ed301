import { disordered, isWhole } from './disorder.ts'
import { readNumber, shorten } from './text.ts'
import { Unkept, type UnkeptQuantity } from './unkept.ts'
import type { Columns, XyzComment } from './xyz-comment.ts'

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
export function unkeptOfXyz(rows: readonly XyzWords[], columns: Columns, { values }: XyzComment): Unkept {
  const unkept = new Unkept()
  for (const { words, element } of rows) unkept.noteType(words[columns.species.start] ?? '', element)
  for (const [name, { start, width }] of columns.others) {
    const quantity = quantityNamed(name)
    const isGiven = ({ words }: XyzWords): boolean =>
      words.slice(start, start + width).some((word) => (readNumber(word) ?? 0) !== 0)
    if (quantity !== undefined && rows.some(isGiven)) unkept.note(quantity, name)
    if (MASSES.has(name)) for (const { words, element } of rows) unkept.noteMass(element, readNumber(words[start]))
  }
  for (const [name, text] of values) {
    const quantity = quantityNamed(name)
    if (quantity !== undefined && (readNumber(text) ?? 0) !== 0) unkept.note(quantity, name)
  }
  return unkept
}

function quantityNamed(name: string): UnkeptQuantity | undefined {
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

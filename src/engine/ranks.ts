import type { Json } from '../kernel/json.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import { compareSortValues, type SortValue } from '../query/order/sort-key.ts'
import { arrayIndexOf } from '../query/paths.ts'
import { type Postings, postingsOf } from './chunk-reader.ts'
import { Column, EVERY_ROW, ONE_EACH, STEPS_OF_A_ROW, type Working } from './column.ts'
import { ColumnBuilder } from './column-builder.ts'
import { encodeColumn, type Kind } from './column-parts.ts'
import { type ColumnSource, hasColumn, rowsWithArrays } from './evaluate-values.ts'
import { type Bits, eitherRows, intersection, noBits, setRows } from './selection.ts'
import { boundOf, type ValueDictionary } from './value-dictionary.ts'

/** The rows whose values a column does not have: odd ones, and those with a text that is cut or a value of one of the kinds; null: none. */
export function doubtfulRows(column: Column, kinds: readonly Kind[]): Bits | null {
  let doubtful: Bits | null = column.oddCount > 0 ? column.oddBits.slice() : null
  const add = (ordinal: number): void => {
    const { starts, rows } = column.postings
    doubtful ??= noBits(column.rows)
    setRows(doubtful, rows, starts[ordinal] as number, starts[ordinal + 1] as number)
  }
  for (const kind of kinds) if (column.dictionary.ordinalOfKind(kind) >= 0) add(column.dictionary.ordinalOfKind(kind))
  for (const ordinal of column.dictionary.cutTexts()) add(ordinal)
  return doubtful
}

/** Before everything: an empty array has no element to sort by. */
const RANK_OF_NOTHING = 0
/** A missing field sorts as null. */
const RANK_OF_NULL = 1

/** Ranks of the rows of a segment by one key: equal values have equal ranks. */
export interface Ranks {
  readonly direction: 1 | -1
  readonly ofRow: Uint32Array | Uint16Array
  /** All ranks are below. */
  readonly most: number
  /** The rows of every rank: those of the first key in the order of all keys, ties ascending. */
  readonly groups: () => Postings
  readonly valueOf: (rank: number) => SortValue
  /** Has the values of all ranks from `shift` on, in their order. */
  readonly dictionary: ValueDictionary
  readonly shift: number
  /** The rank of a value, or half a rank below the first that is above it. */
  readonly rankOf: (value: SortValue) => number
}

/** The keys of an order, and the rows of which only the document tells where they stand. */
export interface SegmentRanks {
  readonly keys: readonly Ranks[]
  readonly unknown: Bits | null
}

/** Finds where the rows of a segment stand by their columns. */
export function ranksOf(source: ColumnSource, sort: readonly SortKey[]): SegmentRanks {
  const [first, ...further] = sort.map((key) => ranksOfKey(source, key))
  if (first === undefined) return { keys: [], unknown: null }
  const unknown = further.reduce((rows, { doubtful }) => eitherRows(rows, doubtful), first.doubtful)
  if (further.length === 0) return { keys: [first.ranks], unknown }
  const rest = further.map(({ ranks }) => ranks)
  const groups = (): Postings => {
    const { starts } = first.ranks.groups()
    const work = (): readonly [Uint16Array] => [rowsInOrder(first.ranks, rest, starts)]
    const steps = STEPS_OF_A_ROW * source.rows * sort.length
    return { starts, rows: first.column.worked(sortedBy(sort), steps, work)[0] as Uint16Array }
  }
  return {
    keys: [{ ...first.ranks, groups }, ...rest],
    unknown: eitherRows(unknown, throughSeveralArrays(source, sort)),
  }
}

/** The name of the rows in the order of several keys, worked out from the column of the first. */
export function sortedBy(sort: readonly SortKey[]): Working {
  return `sorted ${JSON.stringify(sort.map(({ path, direction }) => [path.text, direction]))}`
}

/** All rows by the ranks of the first key, ascending, those of one rank in the order of further keys: stable counting sorts, the last key first. */
function rowsInOrder(first: Ranks, further: readonly Ranks[], starts: Uint32Array): Uint16Array {
  let rows: Uint16Array = EVERY_ROW.subarray(0, first.ofRow.length)
  for (const key of further.toReversed()) {
    const places = key.direction === 1 ? key.ofRow : key.ofRow.map((rank) => key.most - 1 - rank)
    const counts = new Uint32Array(key.most)
    for (let row = 0; row < places.length; row++)
      counts[places[row] as number] = (counts[places[row] as number] as number) + 1
    rows = distributed(rows, places, startsOf(counts))
  }
  return distributed(rows, first.ofRow, starts.slice())
}

function startsOf(counts: Uint32Array): Uint32Array {
  let sum = 0
  return counts.map((count) => {
    sum += count
    return sum - count
  })
}

/** Puts rows to their places, those of one place as they come. `next`: where the next row of each place goes. */
function distributed(rows: Uint16Array, places: Ranks['ofRow'], next: Uint32Array): Uint16Array {
  const out = new Uint16Array(rows.length)
  for (const row of rows) {
    const place = places[row] as number
    out[next[place] as number] = row
    next[place] = (next[place] as number) + 1
  }
  return out
}

/** Elements of one array sort together: what leads through arrays under more than one key is left to the document. */
function throughSeveralArrays(source: ColumnSource, sort: readonly SortKey[]): Bits | null {
  let one: Bits | null = null
  let several: Bits | null = null
  for (const { path } of sort) {
    const arrays = arraysOnWay(source, path.parts)
    if (one !== null && arrays !== null) several = eitherRows(several, intersection(one, arrays))
    one = eitherRows(one, arrays)
  }
  return several
}

function arraysOnWay(source: ColumnSource, parts: readonly string[]): Bits | null {
  let arrays: Bits | null = null
  for (let length = 1; length <= parts.length; length++) {
    const column = source.column(parts.slice(0, length).join('.'))
    arrays = eitherRows(arrays, column === null ? null : rowsWithArrays(column))
  }
  return arrays
}

/** Stands for no doubt: a set of rows has a word at least. */
const NO_BITS = new Uint32Array(0)

/** The ranks of rows, and the direction that they were worked out for. */
interface Ranked {
  readonly ofRow: Ranks['ofRow']
  readonly kept: 1 | -1
}

interface KeyRanks {
  readonly column: Column
  readonly ranks: Ranks
  readonly doubtful: Bits | null
}

function ranksOfKey(source: ColumnSource, { path, direction }: SortKey): KeyRanks {
  const { parts, text } = path
  const column = (hasColumn(parts, text) ? source.column(text) : null) ?? emptyColumn(source.rows)
  let doubtful: Bits | null = hasColumn(parts, text) ? null : noBits(source.rows).fill(0xffffffff)
  if (parts.some((part) => arrayIndexOf(part) >= 0)) doubtful = eitherRows(doubtful, arraysOnWay(source, parts))
  // Without arrays, no row has a choice of values: both directions are the same.
  const kept = column.arrayCount === 0 ? 1 : direction
  const [ofRow, unsure] = column.worked(`ranks ${kept}`, STEPS_OF_A_ROW * column.rows, () => [
    rankRows(column, parts.length, kept),
    doubtfulRows(column, DOUBTFUL) ?? NO_BITS,
  ]) as [Ranks['ofRow'], Bits]
  const ranks = columnRanks(column, direction, { ofRow, kept })
  return { column, ranks, doubtful: unsure.length === 0 ? doubtful : eitherRows(doubtful, unsure) }
}

/** Column of a path at which nobody has anything: all sort as null. */
function emptyColumn(rows: number): Column {
  return new Column(encodeColumn(new ColumnBuilder().finish(rows)))
}

/** Compares the values of two ranks, of two segments perhaps, ascending. */
export function compareRanks(a: Ranks, rankOfA: number, b: Ranks, rankOfB: number): number {
  if (a === b) return rankOfA - rankOfB
  if (rankOfA < a.shift || rankOfB < b.shift) return compareSortValues(a.valueOf(rankOfA), b.valueOf(rankOfB))
  return a.dictionary.compare(rankOfA - a.shift, b.dictionary, rankOfB - b.shift)
}

function columnRanks(column: Column, direction: 1 | -1, { ofRow, kept }: Ranked): Ranks {
  const shift = shiftOf(column)
  const most = column.dictionary.size + shift
  return {
    direction,
    ofRow,
    most,
    groups() {
      const [starts, rows] = column.worked(`groups ${kept}`, STEPS_OF_A_ROW * column.rows, () => {
        const groups = postingsOf({
          dictionary: { size: most },
          entries: ofRow,
          entryCount: column.rows,
          present: EVERY_ROW.subarray(0, column.rows),
          offsets: ONE_EACH,
        })
        return [groups.starts, groups.rows]
      })
      return { starts: starts as Uint32Array, rows: rows as Uint16Array }
    },
    dictionary: column.dictionary,
    shift,
    valueOf(rank) {
      if (rank === RANK_OF_NOTHING) return undefined
      return rank === RANK_OF_NULL ? null : (column.dictionary.valueAt(rank - shift) as Json)
    },
    rankOf: (value) => rankOfValue(column, value),
  }
}

/** Difference of a value's rank and its ordinal. */
function shiftOf({ dictionary: { hasNull } }: Column): number {
  return hasNull ? RANK_OF_NULL : RANK_OF_NULL + 1
}

function rankOfValue(column: Column, value: SortValue): number {
  if (value === undefined) return RANK_OF_NOTHING
  if (value === null) return RANK_OF_NULL
  const shift = shiftOf(column)
  const { dictionary } = column
  // Objects and arrays have no rank of their own; they come after texts and before booleans.
  if (typeof value === 'object') return dictionary.ordinalsOf('boolean')[0] - 0.5 + shift
  const half = typeof value === 'string' ? value.search(HALF) : -1
  if (half >= 0) return dictionary.ordinalFrom(boundOfHalf(value as string, half), false) - 0.5 + shift
  const bound = boundOf(value)
  const [from, to] = [dictionary.ordinalFrom(bound, false), dictionary.ordinalFrom(bound, true)]
  return (to > from ? from : from - 0.5) + shift
}

/** A surrogate without the other one of its pair. */
const HALF = /\p{Surrogate}/u

/** A text with half of a pair has no bytes in UTF-8. It stands right before the texts whose bytes are not below these. */
function boundOfHalf(text: string, at: number): Buffer {
  const before = text.slice(0, at)
  const half = text.charCodeAt(at)
  // A first half comes before every pair that it begins, a second one after all that can follow the same beginning.
  if (half < 0xdc00) return Buffer.from(before + String.fromCharCode(half, 0xdc00))
  return Buffer.concat([Buffer.from(before), Buffer.of(0xff)])
}

/** Kinds of which only the document has the value. */
const DOUBTFUL = ['object', 'nested', 'vector', 'unknown'] as const

function rankRows(column: Column, length: number, direction: 1 | -1): Ranks['ofRow'] {
  const { rows, dictionary, offsets, present } = column
  const shift = shiftOf(column)
  const ofRow = (dictionary.size + shift > 0xffff ? new Uint32Array(rows) : new Uint16Array(rows)).fill(RANK_OF_NULL)
  const missing = dictionary.ordinalOfKind('missing')
  for (const row of present) {
    let rank = -1
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const ordinal = column.ordinalAt(entry)
      const own = ordinal === missing ? RANK_OF_NULL : ordinal + shift
      if (rank < 0 || (own - rank) * direction < 0) rank = own
    }
    // An array without elements on the way means that there is no field.
    ofRow[row] = rank >= 0 ? rank : column.depth === length ? RANK_OF_NOTHING : RANK_OF_NULL
  }
  return ofRow
}

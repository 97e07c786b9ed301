import type { Column } from './column.ts'
import { type ColumnParts, type Dictionary, KINDS, type Kind, sizeOf, type UintArray } from './column-parts.ts'
import type { MergeRoom } from './number-row.ts'

/** The rows of a merged segment: of each, which of the segments it comes from and which row it was there. */
export interface MergeOrder {
  readonly segments: Uint8Array
  readonly rows: Uint16Array
}

/** Most segments that are merged at a time: their numbers are bytes. */
export const MOST_MERGED = 256

/** Puts the columns of several segments for one path (null: it has none) into one, which lies in the room until the next is made there. */
export function mergeColumns(columns: readonly (Column | null)[], order: MergeOrder, room: MergeRoom): ColumnParts {
  if (columns.length > MOST_MERGED) throw new RangeError(`${MOST_MERGED} segments are merged at most at a time`)
  const used = usedOrdinals(columns, order)
  const { dictionary, maps } = mergeDictionaries(columns, used)
  return new Merge(columns, order, { dictionary, maps }, room).run()
}

/** Whether each ordinal of each column is in a row that is kept. */
function usedOrdinals(columns: readonly (Column | null)[], { segments, rows }: MergeOrder): readonly Uint8Array[] {
  const used = columns.map((column) => new Uint8Array(column?.dictionary.size ?? 0))
  for (let at = 0; at < rows.length; at++) {
    const segment = segments[at] as number
    const column = columns[segment]
    if (column === null || column === undefined) continue
    const own = used[segment] as Uint8Array
    const row = rows[at] as number
    const end = column.offsets[row + 1] as number
    for (let entry = column.offsets[row] as number; entry < end; entry++) own[column.ordinalAt(entry)] = 1
  }
  return used
}

interface MergedDictionary {
  readonly dictionary: Dictionary
  /** New ordinals of every column. */
  readonly maps: readonly Uint32Array[]
}

/** Values are put where they stay at once: lists of them beside would take several times the memory of the columns. */
function mergeDictionaries(columns: readonly (Column | null)[], used: readonly Uint8Array[]): MergedDictionary {
  const kept = columns.map((column, at) => (column === null ? null : new KeptValues(column, used[at] as Uint8Array)))
  const present = kept.filter((one) => one !== null)
  const numbers = uniqueNumbers(present)
  const texts = uniqueTexts(present.map((one) => one.texts))
  const kinds = new Set(present.flatMap((one) => one.kinds))
  const hasNull = present.some((one) => one.hasNull)
  const places = { hasNull, numbers, texts, kinds: KINDS.filter((kind) => kinds.has(kind)) }
  const maps = kept.map((one) => one?.mapTo(places) ?? new Uint32Array(0))
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [at, text] of texts.entries()) {
    end += text.length
    ends[at] = end
  }
  return { dictionary: { hasNull, numbers, slab: Buffer.from(texts.join(''), 'latin1'), ends, kinds }, maps }
}

interface MergedValues {
  readonly hasNull: boolean
  readonly numbers: Float64Array
  readonly texts: readonly string[]
  readonly kinds: readonly Kind[]
}

/** The values of a column that are kept. */
class KeptValues {
  readonly hasNull: boolean
  readonly numberCount: number
  /** The bytes of texts, one character each: the order of units is that of bytes. Ascending. */
  readonly texts: readonly string[]
  readonly kinds: readonly Kind[]
  readonly #column: Column
  readonly #used: Uint8Array
  /** The ordinals of its numbers, of its texts and of its kinds begin where the former end. */
  readonly #begin: { readonly numbers: number; readonly texts: number; readonly kinds: number }

  constructor(column: Column, used: Uint8Array) {
    const [numbers, texts] = column.dictionary.ordinalsOf('number')
    const [, kinds] = column.dictionary.ordinalsOf('string')
    this.#column = column
    this.#used = used
    this.#begin = { numbers, texts, kinds }
    this.hasNull = numbers > 0 && used[0] === 1
    let numberCount = 0
    for (let ordinal = numbers; ordinal < texts; ordinal++) numberCount += used[ordinal] as number
    this.numberCount = numberCount
    const kept: string[] = []
    for (let ordinal = texts; ordinal < kinds; ordinal++) {
      if (used[ordinal] === 1) kept.push(column.dictionary.textBytes(ordinal - texts).toString('latin1'))
    }
    this.texts = kept
    this.kinds = column.dictionary.kinds.filter((_, at) => used[kinds + at] === 1)
  }

  /** Writes its numbers, ascending; returns where they end. */
  writeNumbers(to: Float64Array, from: number): number {
    const { numbers } = this.#column.dictionary
    let end = from
    for (let at = 0; at < numbers.length; at++)
      if (this.#used[this.#begin.numbers + at] === 1) to[end++] = numbers[at] as number
    return end
  }

  /** New ordinals of the column; all lists ascend, so each is gone through once. */
  mapTo({ hasNull, numbers, texts, kinds }: MergedValues): Uint32Array {
    const { dictionary } = this.#column
    const begin = this.#begin
    const used = this.#used
    const map = new Uint32Array(dictionary.size)
    let base = hasNull ? 1 : 0
    for (let ordinal = begin.numbers, next = 0; ordinal < begin.texts; ordinal++) {
      if (used[ordinal] !== 1) continue
      const number = dictionary.numbers[ordinal - begin.numbers] as number
      while (numbers[next] !== number) next += 1
      map[ordinal] = base + next
    }
    base += numbers.length
    let kept = 0
    for (let ordinal = begin.texts, next = 0; ordinal < begin.kinds; ordinal++) {
      if (used[ordinal] !== 1) continue
      const text = this.texts[kept++]
      while (texts[next] !== text) next += 1
      map[ordinal] = base + next
    }
    base += texts.length
    for (const [at, kind] of dictionary.kinds.entries())
      if (used[begin.kinds + at] === 1) map[begin.kinds + at] = base + kinds.indexOf(kind)
    return map
  }
}

function uniqueNumbers(columns: readonly KeptValues[]): Float64Array {
  const all = new Float64Array(columns.reduce((sum, { numberCount }) => sum + numberCount, 0))
  let end = 0
  for (const column of columns) end = column.writeNumbers(all, end)
  if (columns.length > 1) all.sort()
  let kept = 0
  for (let at = 0; at < all.length; at++) {
    if (at === 0 || all[at] !== all[kept - 1]) all[kept++] = all[at] as number
  }
  return all.subarray(0, kept)
}

function uniqueTexts(lists: readonly (readonly string[])[]): readonly string[] {
  const all = lists.flat().sort()
  return all.filter((text, at) => at === 0 || text !== all[at - 1])
}

/** The depths of the arrays that are kept, each once. */
function livingDepths(columns: readonly (Column | null)[], { segments, rows }: MergeOrder): readonly number[] {
  const depths = new Set<number>()
  const left = new Set(columns.keys())
  for (const [at, column] of columns.entries())
    if (column === null || column.arrayCount === column.oddCount) left.delete(at)
  for (let at = 0; at < rows.length && left.size > 0; at++) {
    const segment = segments[at] as number
    const column = columns[segment]
    if (!left.has(segment) || column === null || column === undefined || !column.isArray(rows[at] as number)) continue
    depths.add(column.depth)
    left.delete(segment)
  }
  return [...depths]
}

class Merge {
  readonly #columns: readonly (Column | null)[]
  readonly #order: MergeOrder
  readonly #maps: readonly Uint32Array[]
  readonly #depth: number
  #dictionary: Dictionary
  readonly #room: MergeRoom

  constructor(
    columns: readonly (Column | null)[],
    order: MergeOrder,
    { dictionary, maps }: MergedDictionary,
    room: MergeRoom,
  ) {
    room.clear()
    this.#room = room
    this.#columns = columns
    this.#order = order
    this.#dictionary = dictionary
    this.#maps = maps
    const depths = livingDepths(columns, order)
    this.#depth = depths[0] ?? 0
    // Arrays of another depth become odd, and are a value of their own then.
    if (depths.length > 1 && !dictionary.kinds.has('nested')) this.#addNested()
  }

  run(): ColumnParts {
    const { segments, rows } = this.#order
    let count = 0
    for (let row = 0; row < rows.length; row++) {
      const column = this.#columns[segments[row] as number]
      if (column !== null && column !== undefined) count += this.#take(row, column, rows[row] as number)
    }
    const { present, counts, arrays, odd } = this.#room
    return {
      rows: rows.length,
      dictionary: this.#dictionary,
      entries: { count, writeTo: (into) => this.#writeTo(into) },
      present: new Uint16Array(present.view),
      counts: counts.view.every((count) => count === 1) ? null : counts.view,
      arrays: new Uint16Array(arrays.view),
      odd: new Uint16Array(odd.view),
      depth: this.#depth,
    }
  }

  /** Notes what a row is; gives the count of its entries. */
  #take(row: number, column: Column, from: number): number {
    if (!column.isPresent(from)) return 0
    const { present, counts, arrays, odd } = this.#room
    const place = present.length
    const isOdd = column.oddCount > 0 && column.isOdd(from)
    if (isOdd || (column.arrayCount > 0 && column.isArray(from))) {
      arrays.push(place)
      if (isOdd || column.depth !== this.#depth) odd.push(place)
    }
    present.push(row)
    const count =
      (column.offsets[from + 1] as number) -
      (column.offsets[from] as number) +
      (this.#becomesNested(column, from) ? 1 : 0)
    counts.push(count)
    return count
  }

  #becomesNested(column: Column, from: number): boolean {
    return column.arrayCount > 0 && column.depth !== this.#depth && column.isArray(from)
  }

  /** Writes the new ordinals, row after row. */
  #writeTo(into: UintArray): void {
    const { segments, rows } = this.#order
    const nested = this.#nestedOrdinal()
    let at = 0
    for (let row = 0; row < rows.length; row++) {
      const segment = segments[row] as number
      const column = this.#columns[segment]
      const from = rows[row] as number
      if (column === null || column === undefined || !column.isPresent(from)) continue
      const map = this.#maps[segment] as Uint32Array
      const end = column.offsets[from + 1] as number
      for (let entry = column.offsets[from] as number; entry < end; entry++)
        into[at++] = map[column.ordinalAt(entry)] as number
      if (this.#becomesNested(column, from)) into[at++] = nested
    }
  }

  #nestedOrdinal(): number {
    const { kinds } = this.#dictionary
    const before = KINDS.filter((kind) => kinds.has(kind)).indexOf('nested')
    return sizeOf(this.#dictionary) - kinds.size + before
  }

  /** Makes a place for it among the kinds; those after it move up by one. */
  #addNested(): void {
    this.#dictionary = { ...this.#dictionary, kinds: new Set([...this.#dictionary.kinds, 'nested']) }
    const nested = this.#nestedOrdinal()
    for (const map of this.#maps) {
      for (let ordinal = 0; ordinal < map.length; ordinal++) {
        if ((map[ordinal] as number) >= nested) map[ordinal] = (map[ordinal] as number) + 1
      }
    }
  }
}

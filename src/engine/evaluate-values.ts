import type { Json } from '../kernel/json.ts'
import { arrayIndexOf, indexVariants, NESTED_ARRAY } from '../query/paths.ts'
import { askOf, type ValueAsk } from './ask.ts'
import type { Column } from './column.ts'
import type { Kind } from './column-parts.ts'
import { PATH_LENGTH, PATH_PARTS } from './gather-columns.ts'
import {
  type Bits,
  between,
  difference,
  eitherRows,
  everyRow,
  exactly,
  intersection,
  isEmpty,
  NO,
  noBits,
  noRow,
  PERHAPS,
  rowsOf,
  Selection,
  setBit,
  union,
  type Verdict,
  YES,
} from './selection.ts'
import type { DictionaryValue } from './value-dictionary.ts'

export interface ColumnSource {
  /** Number of rows of the segment, dead ones too. */
  readonly rows: number
  /** The column of a path, or of the rest; null when no row has anything there. */
  column(path: string): Column | null
  /** Is told of work before it is done, in values or rows that are looked at one by one; throws when it would take too long. */
  spend(steps: number): void
}

/** Finds the rows where one of the values at a path passes, or, for a missing one, where there is none. */
export function evaluateValues(source: ColumnSource, parts: readonly string[], ask: ValueAsk): Selection {
  const { rows } = source
  const text = parts.join('.')
  if (!hasColumn(parts, text)) return new Selection(noBits(rows), everyRow(rows).may)
  const column = source.column(text)
  const takesMissing = ask.test(undefined)
  let found = column === null ? noRow(rows) : amongEntries(source, column, { parts, ask })
  if (column !== null && ask.inner.length > 0) found = withInner(source, parts, ask, found)
  if (takesMissing) found = withMissing(source, parts, found)
  const indexed = arraysBefore(source, parts)
  return indexed === null ? found : byIndex(source, parts, { ask, found, indexed })
}

/** The paths that are looked at for an ask at a path, beside it. */
export function pathsBeside(parts: readonly string[], ask: ValueAsk): readonly string[] {
  const inner = ask.inner.flatMap(({ parts: below, value }) => {
    const equal = askOf({ operator: '$eq', value })
    return innerPlaces(parts, below, ask).flatMap((place) => [place.join('.'), ...pathsBeside(place, equal)])
  })
  const isIndexed = parts.some((part, at) => at > 0 && arrayIndexOf(part) >= 0)
  const variants = isIndexed ? (variantsOf(parts) ?? []).map((variant) => variant.join('.')) : []
  return [...inner, ...(ask.test(undefined) || isIndexed ? waysTo(parts).slice(0, -1) : []), ...variants]
}

/** The paths that lead to one, which is the last of them. */
export function waysTo(parts: readonly string[]): readonly string[] {
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

export function hasColumn(parts: readonly string[], text: string): boolean {
  return parts.length <= PATH_PARTS && text.length <= PATH_LENGTH
}

interface PathAsk {
  readonly parts: readonly string[]
  readonly ask: ValueAsk
}

/** A text is put together and looked through, as by a pattern. */
const STEPS_OF_A_TEST = 60

function amongEntries(source: ColumnSource, column: Column, { parts, ask }: PathAsk): Selection {
  const must = noBits(column.rows)
  let perhaps: Bits | null = null
  const take = (ordinal: number, until: number, verdict: Verdict): void => {
    if (verdict === NO || ordinal >= until) return
    if (verdict === PERHAPS) perhaps ??= noBits(column.rows)
    column.addRowsWith(verdict === YES ? must : (perhaps as Bits), ordinal, until)
  }
  for (const [from, to] of ask.spans(column.dictionary)) {
    if (ask.isExact) take(from, to, YES)
    else {
      source.spend((to - from) * STEPS_OF_A_TEST)
      for (let at = from; at < to; at++) take(at, at + 1, judge(column.dictionary.valueAt(at), ask))
    }
  }
  takeKinds(column, ask, take)
  if (column.arrayCount > 0 && column.depth === parts.length && ask.array !== NO) {
    source.spend(column.arrayCount)
    perhaps = takeWholes(column, ask, must, perhaps)
  }
  if (column.oddCount > 0) return withoutOdd(column, ask, must, perhaps)
  return perhaps === null ? exactly(must) : new Selection(must, union(must, perhaps))
}

type Take = (ordinal: number, until: number, verdict: Verdict) => void

function judge(value: DictionaryValue, { test }: ValueAsk): Verdict {
  if (typeof value !== 'object' || value === null) return test(value) ? YES : NO
  return value.kind === 'cut' ? PERHAPS : NO
}

function takeKinds(column: Column, ask: ValueAsk, take: Take): void {
  const kind = (name: Kind, verdict: Verdict): void => {
    if (verdict === NO) return
    const ordinal = column.dictionary.ordinalOfKind(name)
    if (ordinal >= 0) take(ordinal, ordinal + 1, verdict)
  }
  kind('object', ask.object)
  kind('nested', ask.array)
  kind('vector', Math.max(ask.array, ask.numbers) as Verdict)
  kind('unknown', ask.unknown)
  kind('untold', PERHAPS)
}

/** An array is asked as a whole, too: where all its elements are known it is put together again. */
function takeWholes(column: Column, ask: ValueAsk, must: Bits, perhaps: Bits | null): Bits | null {
  const left = difference(column.arrayBits, must)
  if (ask.array === YES) {
    for (const row of rowsOf(left)) setBit(must, row)
    return perhaps
  }
  let doubtful = perhaps
  for (const row of rowsOf(left)) {
    const whole = wholeArray(column, row)
    if (whole === null) {
      doubtful ??= noBits(column.rows)
      setBit(doubtful, row)
    } else if (ask.test(whole)) setBit(must, row)
  }
  return doubtful
}

/** The array of a row, when all its elements are scalars. */
export function wholeArray(column: Column, row: number): Json[] | null {
  const { offsets } = column
  const elements: Json[] = []
  for (let entry = offsets[row] as number; entry < (offsets[row + 1] as number); entry++) {
    const value = column.dictionary.valueAt(column.ordinalAt(entry))
    if (typeof value === 'object' && value !== null) return null
    elements.push(value)
  }
  return elements
}

/** Odd rows are in doubt, but have no other values than their entries. */
function withoutOdd(column: Column, ask: ValueAsk, must: Bits, perhaps: Bits | null): Selection {
  const { oddBits } = column
  const may = perhaps === null ? must.slice() : union(must, perhaps)
  if (ask.test(undefined)) for (const row of rowsOf(oddBits)) setBit(may, row)
  return between(difference(must, oddBits), may)
}

/** Equals of an object or array hold certain scalars: rows that lack one of them are out. */
function withInner(source: ColumnSource, parts: readonly string[], ask: ValueAsk, found: Selection): Selection {
  let { may } = found
  if (found.must === may) return found
  for (const { parts: below, value } of ask.inner) {
    // A field that is null equals none that is missing; looking for null would find both.
    if (value === null) continue
    const equal = askOf({ operator: '$eq', value })
    const places = innerPlaces(parts, below, ask).map((place) => evaluateValues(source, place, equal).may)
    may = intersection(may, places.reduce(union, found.must))
  }
  return between(found.must, may)
}

/** An array that is asked for may be the value at the path, or an element of an array there. */
function innerPlaces(
  parts: readonly string[],
  below: readonly string[],
  ask: ValueAsk,
): readonly (readonly string[])[] {
  const place = [...parts, ...below]
  return ask.array === NO ? [place] : [place, [...parts, NESTED_ARRAY, ...below]]
}

/** Adds the rows where the path leads to nothing. Below an array that holds no object there is not even a missing field. */
function withMissing(source: ColumnSource, parts: readonly string[], found: Selection): Selection {
  const column = source.column(parts.join('.'))
  const missing =
    column === null
      ? everyRow(source.rows).may
      : union(column.absentBits, column.rowsOfKind('missing') ?? noBits(source.rows))
  const may = union(found.may, missing)
  const hollow = hollowBefore(source, parts)
  const oddless = column === null || column.oddCount === 0 ? missing : difference(missing, column.oddBits)
  if (hollow === null && oddless === missing && found.must === found.may) return exactly(may)
  const certain = hollow === null ? oddless : difference(oddless, hollow)
  return between(union(found.must, certain), may)
}

/** The rows with an array on the way of which some part has no object to look into; null when there is none. */
export function hollowBefore(source: ColumnSource, parts: readonly string[], from = 1): Bits | null {
  let hollow: Bits | null = null
  for (let length = from; length < parts.length; length++) {
    const column = source.column(parts.slice(0, length).join('.'))
    if (column !== null) hollow = eitherRows(hollow, hollowRows(column, length))
  }
  return hollow
}

function hollowRows(column: Column, length: number): Bits | null {
  let bits = column.rowsOfKind('vector')
  if (column.oddCount > 0) bits = eitherRows(bits, column.oddBits)
  if (column.arrayCount > 0 && column.depth === length) {
    const without = difference(column.arrayBits, column.rowsOfKind('object') ?? noBits(column.rows))
    if (!isEmpty(without)) bits = eitherRows(bits, without)
  }
  return bits
}

/** A number in a path may be an index: the rows that have an array where it stands; null when there is none. */
export function arraysBefore(source: ColumnSource, parts: readonly string[]): Bits | null {
  let arrays: Bits | null = null
  for (let at = 1; at < parts.length; at++) {
    if (arrayIndexOf(parts[at] as string) < 0) continue
    const column = source.column(parts.slice(0, at).join('.'))
    if (column !== null) arrays = eitherRows(arrays, rowsWithArrays(column))
  }
  return arrays
}

export function rowsWithArrays(column: Column): Bits | null {
  const vectors = column.rowsOfKind('vector')
  return column.arrayCount === 0 ? vectors : eitherRows(union(column.arrayBits, column.oddBits), vectors)
}

interface Indexed {
  readonly ask: ValueAsk
  readonly found: Selection
  readonly indexed: Bits
}

/** Values at the path without a possible index are looked at: a row can match by one of those only. */
function byIndex(source: ColumnSource, parts: readonly string[], { ask, found, indexed }: Indexed): Selection {
  const candidates =
    ask.test(undefined) || ask.inner.length > 0 ? indexed : intersection(indexed, anyVariant(source, parts, ask))
  return between(difference(found.must, indexed), union(difference(found.may, indexed), candidates))
}

function anyVariant(source: ColumnSource, parts: readonly string[], ask: ValueAsk): Bits {
  const variants = variantsOf(parts)
  if (variants === null) return everyRow(source.rows).may
  let bits = noBits(source.rows)
  for (const variant of variants) {
    const column = source.column(variant.join('.'))
    if (column !== null) bits = union(bits, amongEntries(source, column, { parts: variant, ask }).may)
    // An array that was reached by its index is asked as a whole.
    if (column !== null && ask.array !== NO) bits = union(bits, rowsWithArrays(column) ?? bits)
  }
  return bits
}

/** The paths under which the values of a path with numbers may stand: a number is a key, an index, or an index within an inner array. */
function variantsOf(parts: readonly string[]): readonly (readonly string[])[] | null {
  return indexVariants(parts)?.filter((part) => part.length > 0 && hasColumn(part, part.join('.'))) ?? null
}

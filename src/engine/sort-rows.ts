import type { Ranks } from './ranks.ts'

/** Where rows stand by one key. */
export type RowRanks = Pick<Ranks, 'ofRow' | 'most' | 'direction'>

/** Rows and keys are put together as one number while that is exact. */
const MOST_EXACT = 2 ** 53
const ROW_FACTOR = 65_536

/** The `count` smallest of some numbers, ascending; the order of the given array changes (quickselect: C. A. R. Hoare, CACM 4, 321, 1961). */
export function smallest(numbers: Float64Array, count: number): Float64Array {
  if (count >= numbers.length) return numbers.sort()
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const [left, right] = partition(numbers, low, high)
    if (count - 1 <= right) high = right
    else if (count - 1 >= left) low = left
    else break
  }
  return numbers.subarray(0, count).sort()
}

/** Puts what is not above a middle value to the left of what is not below it; gives where the right part begins and the left one ends. */
function partition(numbers: Float64Array, low: number, high: number): readonly [left: number, right: number] {
  const pivot = numbers[(low + high) >>> 1] as number
  let left = low
  let right = high
  while (left <= right) {
    while ((numbers[left] as number) < pivot) left += 1
    while ((numbers[right] as number) > pivot) right -= 1
    if (left > right) break
    const value = numbers[left] as number
    numbers[left] = numbers[right] as number
    numbers[right] = value
    left += 1
    right -= 1
  }
  return [left, right]
}

/** Sorts rows by their ranks and then by themselves; only the first `want` are given when there are more. */
export function sortRows(rows: Uint16Array, keys: readonly RowRanks[], want: number): Uint16Array {
  const factor = keys.reduce((product, { most }) => product * most, ROW_FACTOR)
  if (factor > MOST_EXACT)
    return Uint16Array.from(Array.from(rows).sort((a, b) => compareRows(keys, a, b))).subarray(0, want)
  const sorted = firstPacked(rows, keys, want)
  const out = new Uint16Array(sorted.length)
  for (let at = 0; at < out.length; at++) out[at] = (sorted[at] as number) % ROW_FACTOR
  return out
}

/** Rows that are packed at a time. */
const BLOCK = 1024
const blockRows = new Uint16Array(BLOCK)
const block = new Float64Array(BLOCK)

/** The `want` first rows with their places before them, as one number each. Of many rows, most are told to be behind these by their first key. */
function firstPacked(rows: Uint16Array, keys: readonly RowRanks[], want: number): Float64Array {
  const kept = new Float64Array(Math.min(rows.length, 2 * want) + BLOCK)
  const [first] = keys as [RowRanks]
  const { ofRow } = first
  const [start, step] = placing(first)
  const unit = keys.slice(1).reduce((product, { most }) => product * most, ROW_FACTOR)
  let count = 0
  let waiting = 0
  let last = first.most
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    if (start + step * (ofRow[row] as number) <= last) blockRows[waiting++] = row
    if (waiting < BLOCK && at < rows.length - 1) continue
    kept.set(packRows(blockRows.subarray(0, waiting), keys), count)
    count += waiting
    waiting = 0
    if (count <= 2 * want) continue
    count = smallest(kept.subarray(0, count), want).length
    last = Math.floor((kept[want - 1] ?? -1) / unit)
  }
  return smallest(kept.subarray(0, count), want)
}

function packRows(rows: Uint16Array, keys: readonly RowRanks[]): Float64Array {
  const packed = block.subarray(0, rows.length).fill(0)
  for (const ranks of keys) addPlaces(packed, rows, ranks)
  for (let at = 0; at < rows.length; at++) packed[at] = (packed[at] as number) * ROW_FACTOR + (rows[at] as number)
  return packed
}

function compareRows(keys: readonly RowRanks[], a: number, b: number): number {
  for (const { ofRow, direction } of keys) {
    const order = ((ofRow[a] as number) - (ofRow[b] as number)) * direction
    if (order !== 0) return order
  }
  return a - b
}

/** Puts the places of rows under one more key behind those that they have under others. */
function addPlaces(packed: Float64Array, rows: Uint16Array, ranks: RowRanks): void {
  const { ofRow, most } = ranks
  const [start, step] = placing(ranks)
  for (let at = 0; at < rows.length; at++) {
    packed[at] = (packed[at] as number) * most + start + step * (ofRow[rows[at] as number] as number)
  }
}

/** What a rank times the second is added to, to have its place. */
function placing({ most, direction }: RowRanks): readonly [start: number, step: 1 | -1] {
  return direction === 1 ? [0, 1] : [most - 1, -1]
}

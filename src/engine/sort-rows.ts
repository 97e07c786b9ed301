import type { Ranks } from './ranks.ts'

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
export function sortRows(rows: Uint16Array, keys: readonly Ranks[], want: number): Uint16Array {
  const factor = keys.reduce((product, { most }) => product * most, ROW_FACTOR)
  if (factor > MOST_EXACT)
    return Uint16Array.from(Array.from(rows).sort((a, b) => compareRows(keys, a, b))).subarray(0, want)
  const packed = new Float64Array(rows.length)
  for (const ranks of keys) addPlaces(packed, rows, ranks)
  for (let at = 0; at < rows.length; at++) packed[at] = (packed[at] as number) * ROW_FACTOR + (rows[at] as number)
  const sorted = smallest(packed, want)
  const out = new Uint16Array(sorted.length)
  for (let at = 0; at < out.length; at++) out[at] = (sorted[at] as number) % ROW_FACTOR
  return out
}

function compareRows(keys: readonly Ranks[], a: number, b: number): number {
  for (const { ofRow, direction } of keys) {
    const order = ((ofRow[a] as number) - (ofRow[b] as number)) * direction
    if (order !== 0) return order
  }
  return a - b
}

/** Puts the places of rows under one more key behind those that they have under others. */
function addPlaces(packed: Float64Array, rows: Uint16Array, { ofRow, most, direction }: Ranks): void {
  const [start, step] = direction === 1 ? [0, 1] : [most - 1, -1]
  for (let at = 0; at < rows.length; at++) {
    packed[at] = (packed[at] as number) * most + start + step * (ofRow[rows[at] as number] as number)
  }
}

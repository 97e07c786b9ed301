/** The first row whose number is not below another: the count of rows when there is none. The numbers of a segment's rows ascend. */
export function firstFrom(numbers: Float64Array, n: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < n) low = middle + 1
    else high = middle
  }
  return low
}

/** The row of a number; -1 when no row has it. */
export function rowOf(numbers: Float64Array, n: number): number {
  const row = firstFrom(numbers, n)
  return numbers[row] === n ? row : -1
}

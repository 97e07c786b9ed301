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

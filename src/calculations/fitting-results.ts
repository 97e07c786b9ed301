import { isJsonArray, isJsonObject, type Json } from '../kernel/json.ts'
import type { Result } from './calculation.ts'

/** Results up to a number of numbers, in their order; names and sizes of those beyond. */
export class FittingResults {
  readonly #results: Result[] = []
  readonly leftOut: string[] = []
  #room: number

  constructor(most: number) {
    this.#room = most
  }

  get all(): readonly Result[] {
    return this.#results
  }

  add(...results: readonly (Result | null)[]): void {
    for (const result of results) {
      if (result === null) continue
      const numbers = numbersIn(result.data)
      if (numbers > this.#room) this.leftOut.push(`${result.name} (${numbers} numbers)`)
      else {
        this.#room -= numbers
        this.#results.push(result)
      }
    }
  }
}

function numbersIn(value: Json): number {
  if (typeof value === 'number') return 1
  const items = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
  let count = 0
  for (const item of items) count += numbersIn(item)
  return count
}

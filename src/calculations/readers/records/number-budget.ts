import { isJsonArray, isJsonObject, type Json } from '../../../kernel/json.ts'
import type { Result } from '../../calculation.ts'

/** Results that are kept, and the names of those that are not. */
export interface KeptResults {
  readonly results: readonly Result[]
  /** Names with the number of numbers: `atomic_forces (600)`. */
  readonly beyond: readonly string[]
}

/** Numbers that the results of one file may have together. */
export class NumberBudget {
  #left: number

  constructor(numbers: number) {
    this.#left = numbers
  }

  keep(results: readonly Result[]): KeptResults {
    const kept: Result[] = []
    const beyond: string[] = []
    for (const result of results) {
      const numbers = numbersIn(result.data)
      if (numbers > this.#left) beyond.push(`${result.name} (${numbers})`)
      else {
        this.#left -= numbers
        kept.push(result)
      }
    }
    return { results: kept, beyond }
  }
}

function numbersIn(value: Json): number {
  if (typeof value === 'number') return 1
  const values = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
  return values.reduce<number>((sum, item) => sum + numbersIn(item), 0)
}

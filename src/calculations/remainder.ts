import { type Json, type JsonObject, setOwnField } from '../kernel/json.ts'
import type { Rest } from '../structure/crystal.ts'
import { settleRest } from '../structure/formats/common/rest.ts'
import { shorten } from '../structure/formats/common/text.ts'
import type { OutputLimits, Result } from './calculation.ts'
import { FittingResults } from './fitting-results.ts'

const MOST_NAMES = 1000
const LONGEST_NAME = 80
const OTHERS = 'values of other names'

interface Said {
  readonly value: Json
  count: number
  isSame: boolean
}

/** What an output says and no reader uses: values that are said once, or always the same, by their names; of others their number. */
export class Remainder {
  readonly #said = new Map<string, Said>()
  readonly #counted = new Map<string, number>()
  readonly #leftOut: string[] = []

  /** Takes a value by its name. */
  say(name: string, value: Json): void {
    const key = name.slice(0, LONGEST_NAME)
    const said = this.#said.get(key)
    if (said !== undefined) {
      said.count += 1
      said.isSame &&= said.value === value
    } else if (this.#said.size < MOST_NAMES) this.#said.set(key, { value, count: 1, isSame: true })
    else this.count(OTHERS)
  }

  /** Counts what cannot be kept. */
  count(name: string, count = 1): void {
    const key = name.slice(0, LONGEST_NAME)
    const isKnown = this.#counted.has(key) || this.#counted.size < MOST_NAMES
    const counted = isKnown ? key : OTHERS
    this.#counted.set(counted, (this.#counted.get(counted) ?? 0) + count)
  }

  /** Names what cannot be kept: `forces (2 × 3)`. */
  leaveOut(name: string): void {
    if (this.#leftOut.length < MOST_NAMES) this.#leftOut.push(shorten(name, LONGEST_NAME))
    else this.count(OTHERS)
  }

  /** All of it, with values that are too large named instead. */
  rest(atoms: number): Rest {
    const values: Record<string, Json> = {}
    const leftOut = [...this.#leftOut]
    for (const [name, { value, count, isSame }] of this.#said) {
      if (isSame) setOwnField(values, name, value)
      else leftOut.push(`${name} (${count})`)
    }
    for (const [name, count] of this.#counted) leftOut.push(`${name} (${count})`)
    return settleRest({ values, leftOut }, atoms)
  }
}

/** Keeps the results that fit into the limit; the others are named. */
export function fittingResults(
  results: readonly Result[],
  { numbers }: OutputLimits,
  remainder: Remainder,
): readonly Result[] {
  const fitting = new FittingResults(numbers)
  fitting.add(...results)
  for (const name of fitting.leftOut) remainder.leaveOut(name)
  return fitting.all
}

/** Takes the values of an object one by one. */
export function sayAll(remainder: Remainder, values: JsonObject): void {
  for (const [name, value] of Object.entries(values)) remainder.say(name, value)
}

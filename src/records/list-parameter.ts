import type { JsonObject } from '../kernel/json.ts'

/** A parameter of lists of one kind of record, which takes a value in many spellings. */
export interface ListParameter {
  readonly name: string
  /** What it asks, as a sentence. */
  readonly description: string
  readonly example: string
  /** Reads a value as a condition, or says what it should be. */
  readonly read: (text: string) => ParameterReading
}

export type ParameterReading =
  | { readonly filter: JsonObject }
  /** `expected` ends the sentence "The parameter takes …". */
  | { readonly expected: string; readonly hint: string }

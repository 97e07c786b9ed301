import type { PythonValue } from './python-requests.ts'

/** One call of the Python client: what it sends, and what a script gets for it. `{name}` stands for what an earlier call kept. */
export interface ClientCall {
  /** As a script writes it. */
  readonly call: string
  readonly method: string
  /** Below the version; from the root where it begins with a slash. */
  readonly path: string
  readonly params?: Readonly<Record<string, string | number | null>>
  /** Sent as the text of `json.dumps`. */
  readonly json?: PythonValue
  /** Fields of the answer's data, or of the first of its records, that a script relies on. */
  readonly returns?: object
  /** The `_id` of each record of the answer's data, in any order. */
  readonly lists?: readonly string[]
  /** Keeps the `_id` of the answer's data, or of its first record, under this name. */
  readonly keeps?: string
  /** How the message of the error begins that the client raises. */
  readonly raises?: string
}

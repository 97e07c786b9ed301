import type { Transaction } from '../base/database.ts'

/** One step of the schema. It is applied while processes of the version before go on: it adds, and never takes away what they use. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** The oldest version of the schema whose programs can go on with the database. */
  readonly leastReader: number
  /** What is done before the script, which may lock whole tables: it locks no more than homes. */
  readonly prepare?: (sql: Transaction) => Promise<void>
  readonly script: string
}

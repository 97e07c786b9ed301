/** One step of the schema. It is applied while processes of the version before go on: it adds, and never takes away what they use. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** The oldest version of the schema whose programs can go on with the database. */
  readonly leastReader: number
  readonly script: string
}

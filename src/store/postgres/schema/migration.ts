/** One step of the schema. It is applied while processes of the version before go on: it adds, and never takes away what they use. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly script: string
}

/** A row as bytes of text, as it comes from the database: a document in it is sent as it is. */
export type RawRow = readonly (Buffer | null)[]

export function numberIn(row: RawRow, at: number): number {
  return Number((row[at] as Buffer).toString('latin1'))
}

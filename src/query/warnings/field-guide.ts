/** What is known of the fields of a kind of record without looking at any record. */
export interface FieldGuide {
  /** What the records are called: `materials`. */
  readonly many: string
  /** The paths that records of the kind may have by their description, whether or not any has. */
  readonly documented: ReadonlySet<string>
  /** The names that other databases have for fields, in small letters and digits alone, with what they are called here. */
  readonly otherNames: ReadonlyMap<string, string>
}

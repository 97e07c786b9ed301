/** What is known of the fields of a kind of record without looking at any record. */
export interface FieldGuide {
  /** What the records are called: `materials`. */
  readonly many: string
  /** The paths that records of the kind may have by their description, whether or not any has. */
  readonly documented: ReadonlySet<string>
  /** The names that other databases have for fields, in small letters and digits alone, with what they are called here. */
  readonly otherNames: ReadonlyMap<string, string>
  /** The paths of times, which are texts: `2024-05-06T07:08:09.010Z`. */
  readonly instants: ReadonlySet<string>
  /** How a text is written at a path; null when it is as it should be, or when there is no rule for the path. */
  readonly spelling: (path: string, text: string) => Spelling | null
}

/** What is wrong with a text, and what would be right. */
export interface Spelling {
  /** The end of a sentence about it: `is written "NaCl"`. */
  readonly fault: string
  /** How it is written; null when it is nothing that the field can be. */
  readonly right: string | null
  /** What to ask instead. */
  readonly hint: string
}

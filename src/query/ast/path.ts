/** A dotted path to a field, taken apart once when the query is parsed. */
export interface FieldPath {
  /** As the client wrote it: `basis.elements.0.value`. */
  readonly text: string
  /** Its components; never empty, none of them an empty string. */
  readonly parts: readonly string[]
}

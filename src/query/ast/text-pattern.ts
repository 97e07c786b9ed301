/** A regular expression that is known to run in linear time; equality of patterns is by source and flags. */
export interface TextPattern {
  /** As the client wrote it, in PCRE's dialect. */
  readonly source: string
  /** A subset of `imsx`, sorted. */
  readonly flags: string
  /** The literal text that every match starts with when the pattern is anchored and case-sensitive, else empty. */
  readonly literalPrefix: string
  /** True when the pattern is nothing but its literal prefix (`^abc`), so that a prefix range answers it exactly. */
  readonly isLiteralPrefix: boolean
  /** Tells whether the text contains a match. */
  test(text: string): boolean
  /** Finds the first match that starts at `from` or later, counted in UTF-16 units; null when there is none. */
  find(text: string, from: number): TextMatch | null
}

/** Where a pattern matched. */
export interface TextMatch {
  /** In UTF-16 units from the start of the text. */
  readonly index: number
  readonly text: string
  /** What each group caught, in order; null for a group that took no part. */
  readonly captures: readonly (string | null)[]
}

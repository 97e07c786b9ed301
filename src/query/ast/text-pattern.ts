/** A regular expression that is known to run in linear time; what it finds is `compilePattern`'s to say. */
export interface TextPattern {
  /** As the client wrote it, in PCRE's dialect. */
  readonly source: string
  /** A subset of `imsx`, sorted. */
  readonly flags: string
}

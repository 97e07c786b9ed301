/** The flags in force at a point of the pattern; they change within it by `(?i)` and end with their group. */
export interface PatternFlags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
}

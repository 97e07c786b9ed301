/** What a value is, as far as warnings tell values apart. */
export type FieldKind = 'null' | 'number' | 'string' | 'boolean' | 'array' | 'object'

/**
 * What a store knows of the fields of one collection, as one asker sees it in one state. It follows from the records that the asker sees
 * and from no other: a field that only others have is the same as one that nobody has. To be asked within the turn in which it was given.
 */
export interface FieldKnowledge {
  /**
   * What visible records have at a path without indexes (an array directly inside an array is at `[]`); elements of an array are at the path
   * of the array. Empty when none has the path, null for a path that is too deep or too long to be known.
   */
  kindsAt(path: string): ReadonlySet<FieldKind> | null
  /** Tells whether a visible record has the value at a path; true where that cannot be told. */
  hasValue(path: string, value: string | number): boolean
  /** The paths of visible records, those first that were met first, at most `most` of them. */
  paths(most: number): readonly string[]
}

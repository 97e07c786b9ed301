/** Home and collection that a segment or a record belongs to, by the keys of its store. */
export interface Shelf<Key = number> {
  readonly home: Key
  readonly collection: Key
}

/** Where a segment or a record belongs: the records of one home in one collection, by what its store knows them by. */
export interface Shelf<Key = number> {
  readonly home: Key
  readonly collection: Key
}

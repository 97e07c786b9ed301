import type { Shelf } from '../shelf.ts'

/** Earlier versions that a record keeps. */
export const DEFAULT_MOST_REVISIONS = 20

/** Stored content of a record. Homes, collections and accounts go by the keys of their store. */
export interface RecordContent<Key = number> {
  readonly n: number
  readonly collection: Key
  readonly scope: Key
  readonly owner: Key
  readonly id: string
  readonly version: number
  readonly is_default: number
  readonly doc: string
  readonly note: string | null
}

/** A record as its table has it. */
export interface RecordState<Key = number> extends RecordContent<Key> {
  /** `GaveUp` of the port. */
  readonly gave_up_ms: number | null
}

export type RevisionContent<Key = number> = Pick<RecordContent<Key>, 'n' | 'version' | 'doc' | 'note'>

export type RemovedContent<Key = number> = Omit<RecordContent<Key>, 'scope' | 'is_default'> & {
  readonly is_public: number
  readonly removal: string | null
}

export type Belonging<Key = number> = Pick<RecordContent<Key>, 'n' | 'owner'>

/** The tables of one transaction, in which a change looks and writes. Nothing in them is waited for. */
export interface RecordTables<Key> {
  readonly publicHome: Key
  /** The home of an account, and the key of a collection: new ones are made up. */
  owner(account: string): Key
  collection(name: string): Key
  /** A number that no record has had, higher than all before. */
  nextNumber(): number
  find(home: Key, collection: Key, id: string): RecordState<Key> | undefined
  /** Whether an id is in use, in an account's own home or among the public records. */
  isTaken(collection: Key, owner: Key, id: string): boolean
  hasDefault(collection: Key, owner: Key): boolean
  insert(row: RecordState<Key>): void
  update(before: RecordState<Key>, after: RecordState<Key>): void
  remove(row: RecordState<Key>): void
  /** Notes that no segment of a shelf has the present version of a record. */
  addToTail(shelf: Shelf<Key>, n: number): void
  /** Keeps a version of a record, and lets the oldest go when there are more than allowed. */
  keepRevision(row: RevisionContent<Key> & Belonging<Key>): void
  dropRevisions(of: Belonging<Key>): void
  findRemoved(collection: Key, owner: Key, id: string): RemovedContent<Key> | undefined
  addRemoved(row: RemovedContent<Key>): void
  takeRemoved(row: RemovedContent<Key>): void
}

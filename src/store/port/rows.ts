/** Value of a column: texts as they are, booleans as 1 and 0, bytes as base64. */
export type Value = string | number | null

/** A row of a kind, its values in the order of the kind's columns. */
export type Row = readonly Value[]

/** A kind of rows that any store has, under names that are of no store. */
export interface RowKind {
  readonly columns: readonly string[]
  /** So many of the columns, the first ones, are the order of the rows: no two have the same in them. */
  readonly ordered: 1 | 2
  /** Follows from rows of other kinds: it is compared where rows have been moved, and not moved itself. */
  readonly follows?: true
}

/** All that a store cannot derive, no row before one that it refers to, texts by their bytes. An account is its id; `isPublic` tells the home. */
export const ROW_KINDS = {
  key: { columns: ['key'], ordered: 1 },
  account: {
    columns: ['id', 'name', 'nameKey', 'slug', 'type', 'email', 'createdAt', 'title', 'description'],
    ordered: 1,
  },
  // biome-ignore format: a row of names
  user: {
    columns: [
      'id', 'name', 'nameKey', 'slug', 'email', 'emailKey', 'passwordHash', 'defaultAccount', 'createdAt',
      'disabledAt',
    ],
    ordered: 1,
  },
  membership: { columns: ['user', 'account', 'role'], ordered: 2 },
  // biome-ignore format: a row of names
  token: {
    columns: [
      'id', 'kind', 'name', 'hash', 'user', 'account', 'oneAccount', 'readOnly', 'createdAt', 'lastUsedAt',
      'expiresAt', 'endedAt',
    ],
    ordered: 1,
  },
  loginMeter: { columns: ['key', 'emptyAt'], ordered: 1 },
  knownAddress: { columns: ['user', 'digest', 'usedAt'], ordered: 2 },
  record: {
    columns: ['n', 'collection', 'isPublic', 'account', 'id', 'version', 'isDefault', 'doc', 'note', 'gaveUpMs'],
    ordered: 1,
  },
  revision: { columns: ['n', 'version', 'account', 'doc', 'note'], ordered: 2 },
  removed: {
    columns: ['place', 'n', 'collection', 'account', 'id', 'version', 'isPublic', 'doc', 'note', 'removal'],
    ordered: 1,
  },
  // biome-ignore format: a row of names
  audit: {
    columns: [
      'n', 'at', 'action', 'via', 'user', 'account', 'address', 'request', 'kind', 'object', 'version', 'details',
    ],
    ordered: 1,
  },
  answer: { columns: ['account', 'key', 'place', 'total', 'at', 'asked', 'answer', 'serial', 'record'], ordered: 2 },
  /** Last numbers that were given out: none is given out again. */
  given: { columns: ['what', 'last'], ordered: 1 },
  mark: { columns: ['name', 'value'], ordered: 1 },
  /** Storage used by accounts, as quotas count it. */
  usage: { columns: ['account', 'records', 'bytes'], ordered: 1, follows: true },
} as const satisfies Readonly<Record<string, RowKind>>

export type RowKindName = keyof typeof ROW_KINDS

export const ROW_KIND_NAMES = Object.keys(ROW_KINDS) as readonly RowKindName[]

/** The mark that a store has for as long as rows are being put into it: how far that is. Nobody else opens it meanwhile. */
export const MOVE_MARK = 'move'

/** One state of a store, row by row. */
export interface RowSource {
  /** Name in messages; never with a password. */
  readonly name: string
  /** Says which data they are, and grows with every write of them: two of one text have the same rows. */
  state(): Promise<string>
  /** Number of rows of a kind. */
  count(kind: RowKindName): Promise<number>
  /** The rows of a kind in their order, those that come behind one, some at a time. */
  read(kind: RowKindName, after: Row | null): AsyncIterable<readonly Row[]>
  /** Lets the store go, whatever has come of it. */
  close(): Promise<void>
}

/** A store that rows are put into, and that is nobody else's until all are there. */
export interface RowTarget {
  /** Name in messages; never with a password. */
  readonly name: string
  /** Value of the mark; null in an empty store. Without a mark, one with data is refused. */
  begun(): Promise<string | null>
  /** Puts the mark to where it was not, or was another. Refused where somebody else has moved it meanwhile. */
  mark(from: string | null, to: string): Promise<void>
  /** Puts rows, and with them the mark forward, both or neither. */
  put(kind: RowKindName, rows: readonly Row[], mark: { readonly from: string; readonly to: string }): Promise<void>
  /** Makes what queries read; what was interrupted goes on. */
  derive(progress: (done: number, total: number) => void): Promise<void>
  /** The same rows as a source, to be compared. */
  read(): Promise<RowSource>
  /** Takes the mark away, from when on the store can be opened, and writes other marks, in one. */
  finish(mark: string, others: readonly Row[]): Promise<void>
  /** Lets the store go, whatever has come of it. */
  close(): Promise<void>
}

import type { RecordState, RecordTables, RemovedContent, RevisionContent } from '../../changes/record-tables.ts'
import { NO_USAGE, type Usage } from '../../limits.ts'
import { storedBytes } from '../../port/named-files.ts'
import type { Shelf } from '../../shelf.ts'
import { PUBLIC_HOME } from '../base/database.ts'

export type LoadedRecord = RecordState<string>
export type Removed = RemovedContent<string>
export type OwnedRevision = RevisionContent<string> & { readonly owner: string }

/** A row as it is in the database, and as it is to be; undefined: it is not there. */
export interface Changed<Kept> {
  readonly before: Kept | undefined
  readonly after: Kept | undefined
}

export interface LoadedContent {
  readonly records: readonly LoadedRecord[]
  readonly removed: readonly Removed[]
  /** Accounts that have a default record in a collection. */
  readonly defaults: readonly { readonly collection: string; readonly owner: string }[]
  readonly usage: ReadonlyMap<string, Usage>
  /** Numbers that no record has had, ascending: as many as may be needed. */
  readonly numbers: readonly number[]
}

/** Holds the rows that changes look at, loaded before them, and what these write, until it is written together; a step can be taken back. */
export class LoadedRecords implements RecordTables<string> {
  readonly publicHome = PUBLIC_HOME
  readonly #records = new Map<string, Changed<LoadedRecord>>()
  readonly #removed = new Map<string, Changed<Removed>>()
  readonly #defaults = new Map<string, boolean>()
  readonly #usage = new Map<string, Usage>()
  readonly #numbers: readonly number[]
  #taken = 0
  #undo: (() => void)[] = []
  readonly tail = new Map<string, Shelf<string> & { readonly n: number }>()
  readonly revisions = new Map<string, OwnedRevision>()
  /** Records whose revisions go, with their owners. */
  readonly dropped = new Map<number, string>()

  constructor({ records, removed, defaults, usage, numbers }: LoadedContent) {
    for (const row of records) this.#records.set(keyOf(row.scope, row.collection, row.id), { before: row, after: row })
    for (const row of removed) this.#removed.set(keyOf(row.owner, row.collection, row.id), { before: row, after: row })
    for (const { collection, owner } of defaults) this.#defaults.set(keyOf(collection, owner), true)
    for (const [account, used] of usage) this.#usage.set(account, used)
    this.#numbers = numbers
  }

  get records(): Iterable<Changed<LoadedRecord>> {
    return this.#records.values()
  }

  get removed(): Iterable<Changed<Removed>> {
    return this.#removed.values()
  }

  get usage(): ReadonlyMap<string, Usage> {
    return this.#usage
  }

  /** Keeps what has been done so far. */
  keep(): void {
    this.#undo = []
  }

  /** Takes back what has been done since the last step was kept. */
  takeBack(): void {
    for (const undo of this.#undo.reverse()) undo()
    this.#undo = []
  }

  owner(account: string): string {
    return account
  }

  collection(name: string): string {
    return name
  }

  nextNumber(): number {
    const n = this.#numbers[this.#taken]
    if (n === undefined) throw new Error('More numbers are needed than were drawn.')
    this.#taken += 1
    return n
  }

  find(home: string, collection: string, id: string): LoadedRecord | undefined {
    return this.#records.get(keyOf(home, collection, id))?.after
  }

  isTaken(collection: string, owner: string, id: string): boolean {
    return this.find(owner, collection, id) !== undefined || this.find(PUBLIC_HOME, collection, id) !== undefined
  }

  hasDefault(collection: string, owner: string): boolean {
    return this.#defaults.get(keyOf(collection, owner)) === true
  }

  insert(row: LoadedRecord): void {
    this.#put(row)
    this.#use(row.owner, 1, row.doc)
  }

  update(before: LoadedRecord, after: LoadedRecord): void {
    if (before.scope !== after.scope) this.#drop(before)
    else if (before.is_default === 1) this.#set(this.#defaults, keyOf(before.collection, before.owner), false)
    this.#put(after)
    this.#use(before.owner, -1, before.doc)
    this.#use(after.owner, 1, after.doc)
  }

  remove(row: LoadedRecord): void {
    this.#drop(row)
    this.#use(row.owner, -1, row.doc)
  }

  addToTail({ home, collection }: Shelf<string>, n: number): void {
    this.#set(this.tail, keyOf(home, collection, String(n)), { home, collection, n })
  }

  keepRevision({ n, owner, version, doc, note }: OwnedRevision): void {
    this.#set(this.revisions, `${n} ${version}`, { n, owner, version, doc, note })
  }

  dropRevisions({ n, owner }: Pick<LoadedRecord, 'n' | 'owner'>): void {
    this.#set(this.dropped, n, owner)
    for (const [name, revision] of [...this.revisions]) {
      if (revision.n !== n) continue
      this.revisions.delete(name)
      this.#undo.push(() => this.revisions.set(name, revision))
    }
  }

  findRemoved(collection: string, owner: string, id: string): Removed | undefined {
    return this.#removed.get(keyOf(owner, collection, id))?.after
  }

  addRemoved(row: Removed): void {
    const key = keyOf(row.owner, row.collection, row.id)
    this.#set(this.#removed, key, { before: this.#removed.get(key)?.before, after: row })
    this.#use(row.owner, 1, row.doc)
  }

  takeRemoved(row: Removed): void {
    const key = keyOf(row.owner, row.collection, row.id)
    this.#set(this.#removed, key, { before: this.#removed.get(key)?.before, after: undefined })
    this.#use(row.owner, -1, row.doc)
  }

  usageOf(account: string): Usage {
    return this.#usage.get(account) ?? NO_USAGE
  }

  #put(row: LoadedRecord): void {
    const key = keyOf(row.scope, row.collection, row.id)
    this.#set(this.#records, key, { before: this.#records.get(key)?.before, after: row })
    if (row.is_default === 1) this.#set(this.#defaults, keyOf(row.collection, row.owner), true)
  }

  #drop(row: LoadedRecord): void {
    const key = keyOf(row.scope, row.collection, row.id)
    this.#set(this.#records, key, { before: this.#records.get(key)?.before, after: undefined })
    if (row.is_default === 1) this.#set(this.#defaults, keyOf(row.collection, row.owner), false)
  }

  #use(account: string, records: number, doc: string): void {
    const { records: had, bytes } = this.usageOf(account)
    this.#set(this.#usage, account, { records: had + records, bytes: bytes + records * storedBytes(doc) })
  }

  #set<Key, Kept>(map: Map<Key, Kept>, key: Key, value: Kept): void {
    const before = map.get(key)
    this.#undo.push(() => {
      if (before === undefined) map.delete(key)
      else map.set(key, before)
    })
    map.set(key, value)
  }
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

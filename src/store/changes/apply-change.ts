import { assertNever } from '../../kernel/errors.ts'
import { parseDocument } from '../../kernel/json.ts'
import type { NumberCipher } from '../number-cipher.ts'
import { derivedOf, ownText, withDerived } from '../port/derived-text.ts'
import type { Change, ChangeResult } from '../port/record-store.ts'
import type { Shelf } from '../shelf.ts'
import type { RecordState, RecordTables, RemovedContent } from './record-tables.ts'

/** Applies one change inside a transaction; what it does to homes goes to the pending changes. */
export type ApplyChange<Key = number> = (change: Change, changes: PendingChanges<Key>) => ChangeResult

type InsertChange = Extract<Change, { action: 'insert' }>
type ReplaceChange = Extract<Change, { action: 'replace' }>
type RestoreChange = Extract<Change, { action: 'restore' }>
type ChangeOfRecord = Extract<Change, { action: 'replace' | 'remove' | 'erase' | 'expect' }>
type ChangeOfRemoved = Extract<Change, { action: 'restore' | 'purge' }>

/** Says what changes do, whichever tables they are written in. */
export function changeApplier<Key>(tables: RecordTables<Key>, cipher: NumberCipher): ApplyChange<Key> {
  type Row = RecordState<Key>
  type Removed = RemovedContent<Key>
  type Changes = PendingChanges<Key>
  const { publicHome } = tables

  /** A record of an account is in its home or among the public ones, where another may have the same id. */
  const findOf = (owner: Key, collection: Key, id: string): Row | undefined => {
    const found = tables.find(owner, collection, id) ?? tables.find(publicHome, collection, id)
    return found?.owner === owner ? found : undefined
  }

  /** Notes that a home has another version of a record than its segments, or has it no more. */
  function note(home: Key, { collection, n, doc }: Pick<Row, 'collection' | 'n' | 'doc'>, changes: Changes): void {
    const shelf = { home, collection }
    tables.addToTail(shelf, n)
    changes.noteChange(shelf, doc)
  }

  /** Writes a row that is not there. */
  function add(row: Row, changes: Changes): void {
    tables.insert(row)
    changes.addRecords(row.collection, 1)
  }

  /** Writes a row that is not there into the tail. What is no document must not come to a segment. */
  function addToTail(row: Row, changes: Changes): void {
    parseDocument(row.doc)
    add(row, changes)
    note(row.scope, row, changes)
  }

  function insert(change: InsertChange, collection: Key, changes: Changes): ChangeResult {
    const owner = tables.owner(change.accountId)
    const scope = change.isPublic ? publicHome : owner
    if (tables.isTaken(collection, owner, change.id)) return { outcome: 'exists' }
    const isDefault = change.isDefault === true
    if (isDefault && tables.hasDefault(collection, owner)) return { outcome: 'changed' }
    const { id, text, derived = '', note: told = null, gaveUpMs: gave_up_ms = null } = change
    const doc = withDerived(text, derived)
    const n = tables.nextNumber()
    const is_default = Number(isDefault)
    const row = { n, collection, scope, owner, id, version: 1, is_default, doc, note: told, gave_up_ms }
    if (changes.areTogether) {
      add(row, changes)
      changes.noteInserted({ home: scope, collection }, row)
    } else addToTail(row, changes)
    return { outcome: 'done', serial: cipher.serialOf(n), version: 1 }
  }

  function replace(change: ReplaceChange, row: Row, changes: Changes): ChangeResult {
    const isDefault = change.isDefault ?? row.is_default === 1
    if (isDefault && row.is_default === 0 && tables.hasDefault(row.collection, row.owner)) return { outcome: 'changed' }
    const scope = change.isPublic ? publicHome : row.owner
    if (scope !== row.scope && tables.find(scope, row.collection, row.id) !== undefined) return { outcome: 'exists' }
    const isInPlace = change.keepsRevision === false
    if (!isInPlace) tables.keepRevision({ ...row, doc: ownText(row.doc) })
    const version = row.version + 1
    const noteBefore = isInPlace ? row.note : null
    const {
      text,
      derived = derivedOf(row.doc),
      note: told = noteBefore,
      gaveUpMs: gave_up_ms = row.gave_up_ms,
    } = change
    const doc = withDerived(text, derived)
    const after = { ...row, scope, version, is_default: Number(isDefault), doc, note: told, gave_up_ms }
    parseDocument(doc)
    tables.update(row, after)
    note(scope, after, changes)
    // A record that is published, or is not any more, leaves one home for another.
    if (scope !== row.scope) note(row.scope, { ...row, doc: '' }, changes)
    return { outcome: 'done', serial: cipher.serialOf(row.n), version }
  }

  function takeOut(row: Row, changes: Changes): ChangeResult {
    tables.remove(row)
    note(row.scope, { ...row, doc: '' }, changes)
    changes.addRecords(row.collection, -1)
    return { outcome: 'done', serial: cipher.serialOf(row.n), version: row.version }
  }

  /** Puts a record aside; one of the same account and id that was there before goes for good. */
  function putAside(row: Removed): void {
    const former = tables.findRemoved(row.collection, row.owner, row.id)
    if (former !== undefined) {
      tables.takeRemoved(former)
      tables.dropRevisions(former)
    }
    tables.addRemoved(row)
  }

  function restore(change: RestoreChange, row: Removed, changes: Changes): ChangeResult {
    const { n, collection, owner, id } = row
    if (tables.isTaken(collection, owner, id)) return { outcome: 'exists' }
    const isDefault = change.isDefault === true
    if (isDefault && tables.hasDefault(collection, owner)) return { outcome: 'changed' }
    tables.takeRemoved(row)
    tables.keepRevision(row)
    const version = row.version + 1
    const scope = change.isPublic ? publicHome : owner
    const { text, derived = '', note: told = null, gaveUpMs: gave_up_ms = 0 } = change
    const doc = withDerived(text, derived)
    const is_default = Number(isDefault)
    addToTail({ n, collection, scope, owner, id, version, is_default, doc, note: told, gave_up_ms }, changes)
    return { outcome: 'done', serial: cipher.serialOf(n), version }
  }

  function changeRecord(change: ChangeOfRecord, row: Row, changes: Changes): ChangeResult {
    switch (change.action) {
      case 'replace':
        return replace(change, row, changes)
      case 'remove':
        putAside({
          ...row,
          doc: ownText(row.doc),
          is_public: Number(row.scope === publicHome),
          removal: change.note ?? null,
        })
        return takeOut(row, changes)
      case 'erase':
        tables.dropRevisions(row)
        return takeOut(row, changes)
      case 'expect':
        if (change.gaveUpMs !== undefined) tables.update(row, { ...row, gave_up_ms: change.gaveUpMs })
        return { outcome: 'done', serial: cipher.serialOf(row.n), version: row.version }
      default:
        return assertNever(change, 'change of a record')
    }
  }

  function changeRemoved(change: ChangeOfRemoved, row: Removed, changes: Changes): ChangeResult {
    if (change.action === 'restore') return restore(change, row, changes)
    tables.takeRemoved(row)
    tables.dropRevisions(row)
    return { outcome: 'done', serial: cipher.serialOf(row.n), version: row.version }
  }

  return (change, changes) => {
    const collection = tables.collection(change.collection)
    if (change.action === 'insert') return insert(change, collection, changes)
    const owner = tables.owner(change.accountId)
    if (change.action === 'restore' || change.action === 'purge') {
      const row = tables.findRemoved(collection, owner, change.id)
      return staleness(change, row) ?? changeRemoved(change, row as Removed, changes)
    }
    const row = findOf(owner, collection, change.id)
    return staleness(change, row) ?? changeRecord(change, row as Row, changes)
  }
}

/** Says why a change does not fit what is there; null when it does. */
function staleness(
  change: { readonly expectedVersion: number },
  row: { readonly version: number } | undefined,
): ChangeResult | null {
  if (row === undefined) return { outcome: 'missing' }
  return row.version === change.expectedVersion ? null : { outcome: 'changed' }
}

/** Tails are in memory: a record with a longer text does not stay in one. */
const LARGE_TEXT = 16 * 1024

interface ChangedShelf<Key> extends Shelf<Key> {
  readonly isLarge: boolean
}

interface InsertedRecord {
  readonly n: number
  readonly doc: string
}

/** Records that are inserted into a shelf together, in the order of their numbers. Whether each is a document has not been looked at. */
export interface InsertedRecords<Key = number> {
  readonly shelf: Shelf<Key>
  readonly records: InsertedRecord[]
}

/** Changes of a transaction to homes, written once a commit. */
export class PendingChanges<Key = number> {
  /** They are of bulk writes that are kept or taken back as one: what is inserted is gathered until all is there. */
  readonly areTogether: boolean
  readonly homes = new Set<Key>()
  readonly shelves = new Map<string, ChangedShelf<Key>>()
  readonly records = new Map<Key, number>()
  readonly inserted = new Map<string, InsertedRecords<Key>>()

  constructor({ areTogether } = { areTogether: false }) {
    this.areTogether = areTogether
  }

  addRecords(collection: Key, difference: number): void {
    this.records.set(collection, (this.records.get(collection) ?? 0) + difference)
  }

  /** Notes that a record has come that is behind all that its shelf has, and that is in none of its segments and not in its tail. */
  noteInserted(shelf: Shelf<Key>, record: InsertedRecord): void {
    this.homes.add(shelf.home)
    const name = nameOf(shelf)
    const before = this.inserted.get(name)
    if (before === undefined) this.inserted.set(name, { shelf, records: [record] })
    else before.records.push(record)
  }

  /** Notes that a record of a shelf has come into its tail, or has gone. */
  noteChange(shelf: Shelf<Key>, text: string): void {
    this.#note({ ...shelf, isLarge: text.length > LARGE_TEXT })
  }

  absorb(other: PendingChanges<Key>): void {
    for (const [collection, difference] of other.records) this.addRecords(collection, difference)
    for (const shelf of other.shelves.values()) this.#note(shelf)
  }

  #note({ home, collection, isLarge }: ChangedShelf<Key>): void {
    this.homes.add(home)
    const name = nameOf({ home, collection })
    this.shelves.set(name, { home, collection, isLarge: isLarge || this.shelves.get(name)?.isLarge === true })
  }
}

function nameOf<Key>({ home, collection }: Shelf<Key>): string {
  return `${home}/${collection}`
}

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { Scope } from '../../../query/plan.ts'
import { closedError } from '../../errors.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'

/** Questions for which one look at the change mark is enough: a turn can be long when very many connections are ready. */
const MOST_USES = 100
/** After so many turns without a write of anybody, the state is kept for the next turns too. */
const QUIET_TURNS = 100
/** But no longer than this: a state that is kept keeps the log from beginning anew. */
const LONGEST_MS = 1000

/**
 * Holds the newest state as one read transaction: within it a look-up takes no lock, half of its cost. Each turn of the event loop looks once
 * whether anybody has written, and then begins anew: what it answers was asked before. A write of this process ends it when acknowledged.
 */
export class CurrentState {
  readonly #connection: Connection
  readonly #readMark: () => number
  readonly #begin
  readonly #commit
  #mark: number | null = null
  #states = 0
  #uses = 0
  #quietTurns = 0
  #awaitsEndOfTurn = false
  #limit: NodeJS.Timeout | null = null

  constructor(connection: Connection, readMark: () => number) {
    this.#connection = connection
    this.#readMark = readMark
    this.#begin = connection.prepare('BEGIN')
    this.#commit = connection.prepare('COMMIT')
  }

  /** The change mark, never newer than the state that is read: what is kept by it is at worst found out to be old too soon. */
  get mark(): number {
    this.#look()
    return this.#mark as number
  }

  /** Lets what is read from here on, until the turn ends, be of one state. */
  hold(): void {
    this.#look()
    if (this.#connection.inTransaction) return
    this.#begin.run()
    this.#states += 1
  }

  /** Number of the state that is held; null when none is. Nothing that is read of a state changes while it is held. */
  get held(): number | null {
    return this.#connection.inTransaction ? this.#states : null
  }

  /** Lets what is read next be of the newest state. */
  end(): void {
    this.#uses = 0
    this.#quietTurns = 0
    if (this.#connection.open && this.#connection.inTransaction) this.#commit.run()
  }

  #look(): void {
    if (!this.#connection.open) throw closedError()
    if (this.#uses > 0 && this.#uses < MOST_USES) {
      this.#uses += 1
      return
    }
    const mark = this.#readMark()
    if (mark !== this.#mark) this.end()
    this.#mark = mark
    this.#uses = 1
    if (this.#awaitsEndOfTurn) return
    this.#awaitsEndOfTurn = true
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#awaitsEndOfTurn = false
    this.#uses = 0
    this.#quietTurns += 1
    if (!this.#connection.open || !this.#connection.inTransaction) return
    if (this.#quietTurns < QUIET_TURNS) this.#commit.run()
    else this.#limit ??= setTimeout(this.#endQuiet, LONGEST_MS).unref()
  }

  readonly #endQuiet = (): void => {
    this.#limit = null
    if (this.#connection.open && this.#connection.inTransaction) this.#commit.run()
  }
}

/** The header of the shared index of the log (https://sqlite.org/walformat.html#walidxfmt), which every commit writes anew. */
const HEADER_BYTES = 48
const CHANGE_COUNT = 8
const CHECKSUM = 24
const CHECKSUM_BITS = 20

/**
 * Reads the count of commits in the log's index: a third of the cost of asking SQLite. The checksum tells counts apart that begin anew after
 * a crash. A header that is being written gives one more number, and no harm.
 */
export function changeMark(connection: Connection, file: string): () => number {
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  // SQLite maps the index at the first read, and keeps it for as long as the connection is open.
  dataVersion.get()
  const index = openIndex(`${file}-shm`)
  if (index === null) return () => dataVersion.get() as number
  const header = Buffer.alloc(HEADER_BYTES)
  return () => {
    readSync(index, header, 0, HEADER_BYTES, 0)
    const checksum = header.readUInt32LE(CHECKSUM) >>> (32 - CHECKSUM_BITS)
    return header.readUInt32LE(CHANGE_COUNT) * 2 ** CHECKSUM_BITS + checksum
  }
}

interface OpenIndex {
  readonly descriptor: number
  readonly inode: number
}

/**
 * Indexes kept open while the process lives: closing a descriptor makes it lose all its locks on the file, those of SQLite included
 * (https://sqlite.org/howtocorrupt.html, 2.2). On one that was deleted nobody has locks.
 */
const opened = new Map<string, OpenIndex>()

/** Null where there is no such file: the database is on a medium that cannot be written, and nobody commits. */
function openIndex(file: string): number | null {
  const inode = statSync(file, { throwIfNoEntry: false })?.ino
  if (inode === undefined) return null
  const known = opened.get(file)
  if (known?.inode === inode) return known.descriptor
  if (known !== undefined && fstatSync(known.descriptor).nlink === 0) closeSync(known.descriptor)
  try {
    const descriptor = openSync(file, 'r')
    opened.set(file, { descriptor, inode })
    return descriptor
  } catch {
    return null
  }
}

const REMEMBERED = 10_000

/** Remembers the numbers that `read` gives, by name, until anybody has written: to ask again costs one look at the change mark. */
export function untilWritten<Of>(
  state: CurrentState,
  nameOf: (of: Of) => string,
  read: (of: Of) => number,
): (of: Of) => number {
  const known = new BoundedCache<{ readonly mark: number; readonly value: number }>({ most: REMEMBERED })
  return (of) => {
    const { mark } = state
    const name = nameOf(of)
    const found = known.get(name)
    if (found?.mark === mark) return found.value
    state.hold()
    const value = read(of)
    known.set(name, { mark, value })
    return value
  }
}

/** Looks up the numbers that collections and homes go by. */
export interface NumberLookup {
  collection(name: string): number | null
  /** The homes that a requester sees, the public one first; null: all. */
  homes(scope: Scope): readonly number[] | null
  /** The home of a requester's own records; null for one that has none. */
  ownHome(scope: Scope): number | null
  /** Tells whether a requester sees what is in the home of this number. */
  sees(scope: Scope, home: number): boolean
}

/** Remembers only numbers that were found: those never change, but any process may add one at any time. */
export function names(connection: Connection): NumberLookup {
  const findCollection = connection.prepare<[string], number>('SELECT number FROM collection WHERE name = ?').pluck()
  const findOwner = connection.prepare<[string], number>('SELECT number FROM owner WHERE account = ?').pluck()
  const collection = remembering((name) => findCollection.get(name))
  const owner = remembering((account) => findOwner.get(account))
  const ownHome = (scope: Scope) => (scope.kind === 'account' ? owner(scope.accountId) : null)
  return {
    collection,
    ownHome,
    homes(scope) {
      if (scope.kind === 'operator') return null
      const own = ownHome(scope)
      return own === null ? [PUBLIC_HOME] : [PUBLIC_HOME, own]
    },
    sees: (scope, home) => home === PUBLIC_HOME || scope.kind === 'operator' || home === ownHome(scope),
  }
}

function remembering(find: (name: string) => number | undefined): (name: string) => number | null {
  const known = new BoundedCache<number>({ most: REMEMBERED })
  return (name) => {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const number = find(name)
    if (number === undefined) return null
    known.set(name, number)
    return number
  }
}

/** Prepares counting how often something changed that a scope sees, which survives restarts; whoever asks often remembers it. */
export function changeCounter(connection: Connection, names: NumberLookup): (scope: Scope) => number {
  const changes = connection.prepare<[number], number>('SELECT changes FROM home WHERE number = ?').pluck()
  const all = connection.prepare<[], number>('SELECT coalesce(sum(changes), 0) FROM home').pluck()
  return (scope) => {
    const homes = names.homes(scope)
    if (homes === null) return all.get() ?? 0
    return homes.reduce((sum, number) => sum + (changes.get(number) ?? 0), 0)
  }
}

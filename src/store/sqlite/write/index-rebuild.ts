import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { Connection } from '../database.ts'
import type { BodyWriter } from './body-writer.ts'
import { documentLeaves, NO_LEAVES } from './document-leaves.ts'
import type { LeafWriter } from './leaf-writer.ts'
import type { NameNumbers } from './name-numbers.ts'
import { countKinds, countLeaves, type PendingCounts } from './pending-counts.ts'
import type { RebuildStep } from './write-job.ts'

/** Records of one step, which is one transaction: writers of any process get their turn between two. */
const RECORDS_AT_ONCE = 2000

/**
 * Derives the index, its counters and the bodies from the documents anew, step by step; what is interrupted goes on where it was.
 * Meanwhile readers do without the index, and writers leave the records alone that it does not hold yet.
 */
export interface IndexRebuild {
  /** Begins, or goes on with what was begun before. */
  begin(): RebuildStep
  /** Takes the next records in; over when there are none, or nothing was begun. */
  goOn(counts: PendingCounts): RebuildStep
  /** Tells whether the index holds a record, so that a write has to keep it true. */
  holds(n: number): boolean
  /** Forgets how far the index is: any process may change that between transactions. */
  forget(): void
}

/** Forgets all that is derived from the documents, but for the numbers of paths and the orders of fields that were met. */
const CLEARING = `
  INSERT INTO rebuild (reached, done) VALUES (0, 0);
  DELETE FROM leaf;
  DELETE FROM field_kind;
  DELETE FROM body WHERE n NOT IN (SELECT n FROM record);
  UPDATE path SET partial = 0, several = 0, plain = 0;
  UPDATE collection SET records = (SELECT count(*) FROM record WHERE collection = collection.number);
  UPDATE change_counter SET changes = changes + 1;`

const ENDING = `
  DELETE FROM rebuild;
  UPDATE change_counter SET changes = changes + 1;`

interface State {
  readonly reached: number
  readonly done: number
}

interface Row {
  readonly n: number
  readonly collection: number
  readonly scope: number
  readonly doc: string
}

/** Prepares the statements. For use inside a write transaction. */
export function indexRebuild(
  connection: Connection,
  writers: { readonly numbers: NameNumbers; readonly bodies: BodyWriter; readonly index: LeafWriter },
): IndexRebuild {
  const { numbers, bodies, index } = writers
  const readState = connection.prepare<[], State>('SELECT reached, done FROM rebuild')
  const writeState = connection.prepare('UPDATE rebuild SET reached = ?, done = ?')
  const count = connection.prepare<[], number>('SELECT coalesce(sum(records), 0) FROM collection').pluck()
  const next = connection.prepare<[number], Row>(
    `SELECT n, collection, scope, doc FROM record WHERE n > ? ORDER BY n LIMIT ${RECORDS_AT_ONCE}`,
  )
  let known: State | null | undefined
  const state = (): State | null => {
    if (known === undefined) known = readState.get() ?? null
    return known
  }

  function takeIn({ n, collection, scope, doc }: Row, counts: PendingCounts): void {
    const document = JSON.parse(doc) as Json
    if (!isJsonObject(document)) throw new TypeError(`Record number ${n} is not a JSON object.`)
    const leaves = documentLeaves(document, (path) => numbers.path(collection, path))
    for (const entry of leaves.entries) index.add(entry, scope, n)
    bodies.put(n, collection, document)
    countLeaves(NO_LEAVES, leaves, counts)
    countKinds(leaves.kinds, scope, 1, counts)
  }

  return {
    begin() {
      if (state() === null) {
        connection.exec(CLEARING)
        bodies.forget()
        known = undefined
      }
      return { done: state()?.done ?? 0, total: count.get() ?? 0, isOver: false }
    },
    goOn(counts) {
      const total = count.get() ?? 0
      const before = state()
      const rows = before === null ? [] : next.all(before.reached)
      const last = rows.at(-1)
      if (before === null || last === undefined) {
        connection.exec(ENDING)
        known = null
        return { done: total, total, isOver: true }
      }
      for (const row of rows) takeIn(row, counts)
      known = { reached: last.n, done: before.done + rows.length }
      writeState.run(known.reached, known.done)
      return { done: known.done, total, isOver: false }
    },
    holds(n) {
      const rebuilt = state()
      return rebuilt === null || n <= rebuilt.reached
    },
    forget() {
      known = undefined
    },
  }
}

import type { Connection } from '../database.ts'
import { EVERY_SCOPE } from '../scopes.ts'
import type { DocumentLeaves } from './document-leaves.ts'

/** Sums up what a transaction does to counters, so that each counter is written once a commit. */
export class PendingCounts {
  readonly #plain = new Map<number, number>()
  readonly #records = new Map<number, number>()
  readonly #scopes = new Set<number>()
  readonly #partial = new Set<number>()
  readonly #several = new Set<number>()

  addPlain(path: number, difference: number): void {
    this.#plain.set(path, (this.#plain.get(path) ?? 0) + difference)
  }

  addRecords(collection: number, difference: number): void {
    this.#records.set(collection, (this.#records.get(collection) ?? 0) + difference)
  }

  noteChange(scope: number): void {
    this.#scopes.add(scope)
  }

  noteSeveral(path: number): void {
    this.#several.add(path)
  }

  notePartial(path: number): void {
    this.#partial.add(path)
  }

  /** Takes over what another set has summed up. */
  absorb(other: PendingCounts): void {
    for (const [path, difference] of other.#plain) this.addPlain(path, difference)
    for (const [collection, difference] of other.#records) this.addRecords(collection, difference)
    for (const scope of other.#scopes) this.noteChange(scope)
    for (const path of other.#several) this.noteSeveral(path)
    for (const path of other.#partial) this.notePartial(path)
  }

  /** Writes everything; the last act of a transaction. */
  flush(connection: Connection): void {
    const plain = connection.prepare('UPDATE path SET plain = plain + ? WHERE number = ?')
    for (const [path, difference] of this.#plain) if (difference !== 0) plain.run(difference, path)
    const partial = connection.prepare('UPDATE path SET partial = 1 WHERE number = ? AND partial = 0')
    for (const path of this.#partial) partial.run(path)
    const several = connection.prepare('UPDATE path SET several = 1 WHERE number = ? AND several = 0')
    for (const path of this.#several) several.run(path)
    const records = connection.prepare('UPDATE collection SET records = records + ? WHERE number = ?')
    for (const [collection, difference] of this.#records) if (difference !== 0) records.run(difference, collection)
    if (this.#scopes.size > 0) this.#flushChanges(connection)
  }

  #flushChanges(connection: Connection): void {
    const count = connection.prepare(
      'INSERT INTO change_counter (scope, changes) VALUES (?, 1) ON CONFLICT (scope) DO UPDATE SET changes = changes + 1',
    )
    for (const scope of [...this.#scopes, EVERY_SCOPE]) count.run(scope)
  }
}

/** Counts what a document puts into the index in place of what was there before. */
export function countLeaves(before: DocumentLeaves, after: DocumentLeaves, counts: PendingCounts): void {
  for (const path of before.plainPaths) counts.addPlain(path, -1)
  for (const path of after.plainPaths) counts.addPlain(path, 1)
  for (const path of after.severalPaths) counts.noteSeveral(path)
  for (const path of after.partialPaths) counts.notePartial(path)
}

import type { Connection } from '../database.ts'
import { EVERY_SCOPE } from '../scopes.ts'
import type { DocumentLeaves } from './document-leaves.ts'

/** Sums up what a transaction does to counters, so that each counter is written once a commit. */
export class PendingCounts {
  readonly plain = new Map<number, number>()
  readonly records = new Map<number, number>()
  readonly scopes = new Set<number>()
  readonly partial = new Set<number>()
  readonly several = new Set<number>()
  /** Of records with a kind of value at a path, by scope. */
  readonly kinds = new Map<number, Map<number, number>>()

  addPlain(path: number, difference: number): void {
    this.plain.set(path, (this.plain.get(path) ?? 0) + difference)
  }

  addRecords(collection: number, difference: number): void {
    this.records.set(collection, (this.records.get(collection) ?? 0) + difference)
  }

  addKind(scope: number, pathKind: number, difference: number): void {
    const counts = this.kinds.get(scope) ?? new Map<number, number>()
    this.kinds.set(scope, counts)
    counts.set(pathKind, (counts.get(pathKind) ?? 0) + difference)
  }

  noteChange(scope: number): void {
    this.scopes.add(scope)
  }

  noteSeveral(path: number): void {
    this.several.add(path)
  }

  notePartial(path: number): void {
    this.partial.add(path)
  }

  /** Takes over what another set has summed up. */
  absorb(other: PendingCounts): void {
    for (const [path, difference] of other.plain) this.addPlain(path, difference)
    for (const [collection, difference] of other.records) this.addRecords(collection, difference)
    for (const scope of other.scopes) this.noteChange(scope)
    for (const path of other.several) this.noteSeveral(path)
    for (const path of other.partial) this.notePartial(path)
    for (const [scope, counts] of other.kinds) {
      for (const [pathKind, difference] of counts) this.addKind(scope, pathKind, difference)
    }
  }
}

/** Prepares the statements that write counts, the last act of a transaction. Numbers go as JSON lists: most documents change a hundred. */
export function countWriter(connection: Connection): (counts: PendingCounts) => void {
  const plain = connection.prepare('UPDATE path SET plain = plain + ? WHERE number IN (SELECT value FROM json_each(?))')
  const partial = connection.prepare(
    'UPDATE path SET partial = 1 WHERE partial = 0 AND number IN (SELECT value FROM json_each(?))',
  )
  const several = connection.prepare(
    'UPDATE path SET several = 1 WHERE several = 0 AND number IN (SELECT value FROM json_each(?))',
  )
  const records = connection.prepare('UPDATE collection SET records = records + ? WHERE number = ?')
  const writeKinds = kindWriter(connection)
  const changes = connection.prepare(
    'INSERT INTO change_counter (scope, changes) VALUES (?, 1) ON CONFLICT (scope) DO UPDATE SET changes = changes + 1',
  )
  return (counts) => {
    for (const [difference, paths] of byDifference(counts.plain)) plain.run(difference, JSON.stringify(paths))
    if (counts.partial.size > 0) partial.run(JSON.stringify([...counts.partial]))
    if (counts.several.size > 0) several.run(JSON.stringify([...counts.several]))
    for (const [scope, kinds] of counts.kinds) writeKinds(scope, kinds)
    for (const [collection, difference] of counts.records) if (difference !== 0) records.run(difference, collection)
    if (counts.scopes.size > 0) for (const scope of [...counts.scopes, EVERY_SCOPE]) changes.run(scope)
  }
}

/** Prepares the statements that count kinds of values; what no record of the scope has any more has no row. */
function kindWriter(connection: Connection): (scope: number, kinds: ReadonlyMap<number, number>) => void {
  const add = connection.prepare(
    `INSERT INTO field_kind (scope, path_kind, records) SELECT ?, value, ? FROM json_each(?) WHERE true
     ON CONFLICT (scope, path_kind) DO UPDATE SET records = records + excluded.records`,
  )
  const clear = connection.prepare(
    'DELETE FROM field_kind WHERE scope = ? AND records = 0 AND path_kind IN (SELECT value FROM json_each(?))',
  )
  return (scope, kinds) => {
    for (const [difference, pathKinds] of byDifference(kinds)) {
      const list = JSON.stringify(pathKinds)
      add.run(scope, difference, list)
      if (difference < 0) clear.run(scope, list)
    }
  }
}

function byDifference(counts: ReadonlyMap<number, number>): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>()
  for (const [counted, difference] of counts) {
    if (difference === 0) continue
    const alike = groups.get(difference)
    if (alike === undefined) groups.set(difference, [counted])
    else alike.push(counted)
  }
  return groups
}

/** Counts what a document puts into the index in place of what was there before. */
export function countLeaves(before: DocumentLeaves, after: DocumentLeaves, counts: PendingCounts): void {
  for (const path of before.plainPaths) counts.addPlain(path, -1)
  for (const path of after.plainPaths) counts.addPlain(path, 1)
  for (const path of after.severalPaths) counts.noteSeveral(path)
  for (const path of after.partialPaths) counts.notePartial(path)
}

/** Counts one record more, or one less, of a scope that has these kinds of values. */
export function countKinds(kinds: ReadonlySet<number>, scope: number, difference: 1 | -1, counts: PendingCounts): void {
  for (const pathKind of kinds) counts.addKind(scope, pathKind, difference)
}

import type { Scope } from '../../../query/plan.ts'
import type { Connection } from '../base/database.ts'
import type { Names } from './names.ts'

/** Tells the states of collections apart, as far as a scope sees them. */
export type CollectionMarks = (scope: Scope) => ReadonlyMap<string, string>

interface Part {
  readonly name: string
  readonly part: string
}

/** Prepares the statements. What changes is in the tail, under a stamp of its own, or has come into a segment, where it was dead or another. */
export function collectionMarks(connection: Connection, names: Names): CollectionMarks {
  const homes = 'SELECT value FROM json_each(?)'
  const find = connection.prepare<[string, string], Part>(
    `SELECT name, part FROM (
       SELECT collection, 't' || home || ':' || max(stamp) AS part FROM tail WHERE home IN (${homes}) GROUP BY home, collection
       UNION ALL
       SELECT collection, 's' || home || ':' || max(number) || ':' || count(*) || ':' || sum(dead_rows)
         FROM segment WHERE home IN (${homes}) GROUP BY home, collection
     ) JOIN collection ON collection.number = collection`,
  )
  const all = connection.prepare<[], number>('SELECT number FROM home').pluck()
  return (scope) => {
    const list = JSON.stringify(names.homes(scope) ?? all.all())
    const marks = new Map<string, string>()
    for (const { name, part } of find.all(list, list)) marks.set(name, `${marks.get(name) ?? ''} ${part}`)
    return marks
  }
}

import { compoundReader, sortText } from '../compound/compound-index.ts'
import type { Connection } from '../database.ts'
import { compoundFiller } from './compound-filler.ts'
import type { CompoundWriter } from './compound-writer.ts'
import type { NameNumbers } from './name-numbers.ts'
import type { CompoundOrder } from './write-job.ts'

const ROWS_AT_ONCE = 2000

/** Makes and unmakes compound indexes, in parts that other writers need not wait for. */
export interface CompoundBuilder {
  /** Takes an index into the plan of work, where there is room for it. */
  order(order: CompoundOrder): 'ordered' | 'there' | 'full'
  /** Works for about so long; tells whether there is more to do. */
  work(milliseconds: number): boolean
  /** Notes on which day indexes were used. */
  noteUse(numbers: readonly number[], day: number): void
  /** Gives up the indexes of each collection that are more than allowed, those first that were not used for longest. */
  keepAtMost(most: number): void
  /** Begins all indexes anew, those too that were found unsuitable before. */
  startOver(): void
}

/** Prepares the statements; for use inside a write transaction. */
export function compoundBuilder(
  connection: Connection,
  numbers: NameNumbers,
  compounds: CompoundWriter,
): CompoundBuilder {
  const readAll = compoundReader(connection)
  const insert = connection.prepare(
    "INSERT INTO compound (collection, path, sort, state, built_to, used_on) VALUES (?, ?, ?, 'building', 0, ?)",
  )
  const drop = connection.prepare("UPDATE compound SET state = 'dropped' WHERE number = ?")
  const remove = connection.prepare('DELETE FROM compound WHERE number = ?')
  const use = connection.prepare('UPDATE compound SET used_on = ? WHERE number = ? AND used_on < ?')
  const removeRows = connection.prepare(
    `DELETE FROM compound_row WHERE (compound, scope, path_type, value, place) IN
     (SELECT compound, scope, path_type, value, place FROM compound_row WHERE compound = ? LIMIT ${ROWS_AT_ONCE})`,
  )
  const hasRows = connection.prepare<[number], number>('SELECT 1 FROM compound_row WHERE compound = ? LIMIT 1').pluck()
  const fill = compoundFiller(connection, numbers, compounds)

  const unused = (collection: number) =>
    readAll()
      .filter((index) => index.collection === collection && index.state !== 'dropped')
      .sort((a, b) => Number(b.state === 'unsuitable') - Number(a.state === 'unsuitable') || a.usedOn - b.usedOn)

  function order({ collection: name, path, sort, day, most }: CompoundOrder): 'ordered' | 'there' | 'full' {
    const collection = numbers.collection(name)
    const text = sortText(sort)
    if (readAll().some((one) => one.collection === collection && one.path === path && sortText(one.sort) === text)) {
      return 'there'
    }
    const others = unused(collection)
    if (others.length >= most) {
      const leaving = others.find(({ usedOn }) => usedOn < day)
      if (leaving === undefined || others.length > most) return 'full'
      drop.run(leaving.number)
    }
    insert.run(collection, path, text, day)
    compounds.forget()
    return 'ordered'
  }

  function work(milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    while (performance.now() < end) if (!takeAway() && !build(end)) return false
    return true
  }

  /** Removes some rows of an index that is not kept; false when there is none. */
  function takeAway(): boolean {
    const leaving = readAll().find(
      ({ state, number }) => state === 'dropped' || (state === 'unsuitable' && hasRows.get(number) === 1),
    )
    if (leaving === undefined) return false
    if (removeRows.run(leaving.number).changes === 0) remove.run(leaving.number)
    return true
  }

  /** Goes on with an index that is not ready; false when there is none. */
  function build(end: number): boolean {
    const unfinished = readAll().find(({ state }) => state === 'building')
    if (unfinished === undefined) return false
    const index = compounds.kept(unfinished.collection).find(({ number }) => number === unfinished.number)
    if (index === undefined) return false
    fill(index, end)
    return true
  }

  return {
    order,
    work,
    noteUse(used, day) {
      for (const number of used) use.run(day, number, day)
    },
    keepAtMost(most) {
      for (const collection of new Set(readAll().map((index) => index.collection))) {
        const indexes = unused(collection)
        for (const { number } of indexes.slice(0, Math.max(0, indexes.length - most))) drop.run(number)
      }
      compounds.forget()
    },
    startOver() {
      connection.exec(`
        DELETE FROM compound_row;
        DELETE FROM compound WHERE state = 'dropped';
        UPDATE compound SET state = 'building', built_to = 0, reason = NULL;`)
      compounds.forget()
    },
  }
}

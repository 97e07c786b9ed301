import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ColumnGatherer } from '../../src/engine/gather-columns.ts'
import { encodeSegment } from '../../src/engine/segment-chunks.ts'
import { noBits, setBit } from '../../src/engine/selection.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { segmentReader, segmentWriter } from '../../src/store/sqlite/segments/segment-rows.ts'
import { type PlainSqlite, plainSqlite } from '../support/plain-sqlite.ts'
import { insertion } from '../support/plans.ts'

/** Three segments of twenty records each, numbers 1 to 60; of what is changed later, all is in the tail. */
const SIZES = { tailRows: 20, mergedTogether: 1e9, takenOver: 1e9 }
const RECORDS = 60

const documentOf = (i: number): JsonObject => ({ name: `n${i}`, v: i % 3, tags: [`t${i}`] })

describe('the check of segments', () => {
  let store: PlainSqlite
  beforeEach(() => {
    store = plainSqlite(SIZES)
    for (let at = 1; at <= RECORDS; at += 20) {
      store.applyEach(Array.from({ length: 20 }, (_, i) => insertion('c', `n${at + i}`, documentOf(at + i))))
    }
    const change = { collection: 'c', accountId: 'owner', expectedVersion: 1 } as const
    store.applyEach([
      { action: 'replace', ...change, id: 'n5', isPublic: false, text: '{"name":"changed"}' },
      { action: 'replace', ...change, id: 'n25', isPublic: true, text: '{"name":"published"}' },
      { action: 'remove', ...change, id: 'n45' },
      insertion('c', 'late', { name: 'late' }),
    ])
    expect(store.check()).toEqual([])
  })
  afterEach(() => store.close())

  const run = (script: string) => () => void store.connection.exec(script)
  const segment = (number: number) => {
    const found = segmentReader(store.connection).read(number)
    if (found === null) throw new Error(`there is no segment ${number}`)
    return found
  }

  /** Writes the dead rows of a segment as the store does: with a checksum that is right. */
  const markDead = (number: number, ...rows: number[]) => {
    const dead = noBits(20)
    for (const row of rows) setBit(dead, row)
    segmentWriter(store.connection).markDead(number, dead, rows.length)
  }

  /** Makes segment 1 anew, of other documents or other numbers than those of its records. */
  const makeAnew = (change: (document: JsonObject, row: number) => JsonObject, numberOf = (row: number) => row + 1) => {
    const { home, collection } = segment(1)
    const gatherer = new ColumnGatherer()
    const numbers = Float64Array.from({ length: 20 }, (_, row) => numberOf(row))
    for (const [row, n] of numbers.entries()) gatherer.add(change(documentOf(n), row))
    const writer = segmentWriter(store.connection)
    writer.remove(1)
    const encoded = encodeSegment(gatherer.finish())
    writer.insert({
      home,
      collection,
      level: 0,
      numbers,
      dead: noBits(20),
      encoded,
    })
  }

  const damaged = (what: string) =>
    new RegExp(`^Segment 1 of c cannot be read: ${what} is damaged in the storage: it is not what was written\\.$`)
  const changeByte = (column: string, at: number) =>
    `${column} = CAST(substr(${column}, 1, ${at}) || x'5a' || substr(${column}, ${at + 2}) AS BLOB)`

  it.each([
    [
      'a byte of a column',
      run(`UPDATE chunk SET ${changeByte('bytes', 40)} WHERE segment = 1 AND number = 0`),
      damaged('Chunk 0 of segment 1'),
    ],
    [
      'a number of its records',
      run(`UPDATE chunk SET ${changeByte('bytes', 9)} WHERE segment = 1 AND number = -1`),
      damaged('Chunk -1 of segment 1'),
    ],
    [
      'its catalog',
      run(`UPDATE segment SET catalog = replace(catalog, '[', '[ ') WHERE number = 1`),
      damaged('Segment 1'),
    ],
    ['its dead rows', run(`UPDATE segment SET ${changeByte('dead', 1)} WHERE number = 1`), damaged('Segment 1')],
    ['its checksum', run('UPDATE segment SET checksum = checksum + 1 WHERE number = 1'), damaged('Segment 1')],
    [
      'a column that is that of another segment',
      run(
        'UPDATE chunk SET (checksum, bytes) = (SELECT checksum, bytes FROM chunk WHERE segment = 2 AND number = 0) WHERE segment = 1 AND number = 0',
      ),
      damaged('Chunk 0 of segment 1'),
    ],
    [
      'a column that is gone',
      run('DELETE FROM chunk WHERE segment = 1 AND number = 0'),
      /^Segment 1 of c cannot be read: Segment 1 has no chunk 0\.$/,
    ],
    ['how many rows it has', run('UPDATE segment SET rows = 19 WHERE number = 1'), /not as many numbers as rows/],
    ...['dead_rows = 1', 'first_n = 2', 'last_n = 19'].map(
      (what) =>
        [
          `what is written of it: ${what}`,
          run(`UPDATE segment SET ${what} WHERE number = 1`),
          /^Segment 1 of c has other records, or more or fewer dead ones, than is written of it\.$/,
        ] as const,
    ),
    [
      'a segment that is gone',
      run('DELETE FROM chunk WHERE segment = 1; DELETE FROM segment WHERE number = 1'),
      // One of the twenty is in the tail.
      /^19 records of c are in no segment\.$/,
    ],
    [
      'a segment of another home',
      run('UPDATE segment SET home = 0 WHERE number = 1'),
      /^Segment 1 of c has 20 rows of records that are not there/,
    ],
    ['a record that is dead and nowhere else', () => markDead(1, 7), /^1 records of c are in no segment\.$/],
    [
      'columns of chunks without a segment',
      run('PRAGMA foreign_keys = OFF; DELETE FROM segment WHERE number = 1'),
      /^A row of chunk refers to a row of segment that does not exist\.$/,
    ],
    [
      'a value that the record does not have',
      () => makeAnew((document, row) => (row === 3 ? { ...document, v: 7 } : document)),
      /^Segment 4 of c says something else of v than 1 of its records\.$/,
    ],
    [
      'an element that the record does not have',
      () => makeAnew((document, row) => (row === 3 ? { ...document, tags: ['t4', 't5'] } : document)),
      /^Segment 4 of c says something else of tags than 1 of its records\.$/,
    ],
    [
      'a field that no record has',
      () => makeAnew((document, row) => (row === 3 ? { ...document, ghost: 1 } : document)),
      /^Segment 4 of c says something else of ghost than 1 of its records\.$/,
    ],
    [
      'a field that is not there',
      () => makeAnew(({ name, tags }) => ({ name, tags }) as JsonObject),
      /^Segment 4 of c says something else of v than 19 of its records\.$/,
    ],
    [
      'another order of fields',
      () => makeAnew(({ name, v, tags }, row) => (row === 3 ? { v, name, tags } : { name, v, tags }) as JsonObject),
      /^Segment 4 of c says something else of the order of their fields than 1 of its records\.$/,
    ],
    [
      'a record that is there twice',
      () =>
        makeAnew(
          (document) => document,
          (row) => (row < 10 ? row + 1 : row),
        ),
      /^Segment 4 of c has 1 rows of records that are not there, or are in another segment\.$/,
    ],
    [
      'a record that another segment has',
      () =>
        makeAnew(
          (document) => document,
          (row) => row + 2,
        ),
      /^Segment 4 of c has 1 rows of records that are not there, or are in another segment\.$|^Segment 2 of c has 1 rows/,
    ],
    [
      'a new record that the tail has lost',
      run(`DELETE FROM tail WHERE n = (SELECT n FROM record WHERE id = 'late')`),
      /^1 records of c are in no segment\.$/,
    ],
    [
      'a changed record that the tail has lost',
      run('DELETE FROM tail WHERE n = 5'),
      /^Segment 1 of c says something else of name than 1 of its records\.$/,
    ],
    [
      'a removed record that the tail has lost',
      run('DELETE FROM tail WHERE n = 45'),
      /^Segment 3 of c has 1 rows of records that are not there, or are in another segment\.$/,
    ],
    [
      'a published record that the tail of the public ones has lost',
      run('DELETE FROM tail WHERE n = 25 AND home = 0'),
      /^1 records of c are in no segment\.$/,
    ],
    [
      'a published record that the tail of its owner has lost',
      run('DELETE FROM tail WHERE n = 25 AND home > 0'),
      /^Segment 2 of c has 1 rows of records that are not there, or are in another segment\.$/,
    ],
    [
      'a tail that is ahead of its home',
      run('INSERT INTO tail SELECT home, collection, stamp + 1, 1 FROM tail WHERE n = 5'),
      /^The tail of home 1 is ahead of it: what is written next would not be seen\.$/,
    ],
    [
      'a home that is not there',
      run('DELETE FROM home WHERE number = 1'),
      /^Home 1 has records, and is not among the homes\.$/,
    ],
    [
      'a backlog of what a segment has',
      run('INSERT INTO backlog SELECT home, collection, 10, 15 FROM segment WHERE number = 1'),
      /^Segment 1 of c has 5 rows of records that are not there, or are in another segment\.$/,
    ],
    [
      'a backlog that is gone before it is worked off',
      () => {
        store.beginAnew()
        store.connection.exec('DELETE FROM backlog WHERE home = 1')
      },
      /^59 records of c are in no segment\.$/,
    ],
    ['the count of records', run('UPDATE collection SET records = 9'), /^The count of records in c is wrong\.$/],
  ] as const)('names %s', (_, damage, finding) => {
    damage()
    expect(store.check()).toContainEqual(expect.stringMatching(finding))
  })

  it('names a row that is alive of a record that another segment has by now', () => {
    store.applyEach(Array.from({ length: 20 }, (_, i) => insertion('c', `more${i}`, { i })))
    expect(store.check()).toEqual([])
    expect([1, 2, 3].map((number) => [...segment(number).dead])).toEqual([[1 << 4], [1 << 4], [1 << 4]])
    markDead(1)
    expect(store.check()).toContain(
      'Segment 4 of c has 1 rows of records that are not there, or are in another segment.',
    )
  })

  it('goes on behind what it has found', () => {
    markDead(1, 7)
    store.connection.exec(`
      DELETE FROM chunk WHERE segment = 2 AND number = 0;
      DELETE FROM tail WHERE n = 45;
      UPDATE collection SET records = 9`)
    expect(store.check()).toEqual([
      'The count of records in c is wrong.',
      'Segment 2 of c cannot be read: Segment 2 has no chunk 0.',
      'Segment 3 of c has 1 rows of records that are not there, or are in another segment.',
      '1 records of c are in no segment.',
    ])
  })

  it('finds nothing wrong in segments that have fewer columns than their records have paths', () => {
    const few = plainSqlite({ ...SIZES, tailRows: 4, columns: { most: 6, ofRecord: 3 } })
    for (let at = 0; at < 24; at += 3) {
      const named = (i: number) => ({ name: `n${i}`, [`own${i % 7}`]: i, deep: { [`at${i % 5}`]: [i] } })
      few.applyEach([0, 1, 2].map((i) => insertion('c', `n${at + i}`, named(at + i))))
    }
    expect(few.check()).toEqual([])
    few.merge()
    expect(few.check()).toEqual([])
    few.close()
  })

  it('finds nothing wrong while segments are being made anew, and after that', () => {
    store.beginAnew()
    expect(store.check()).toEqual([])
    store.goOn()
    expect(store.check()).toEqual([])
    store.goOn()
    expect(store.check()).toEqual([])
  })
})

import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Catalog } from '../../src/engine/segment-chunks.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { ENDLESS_EFFORT } from '../../src/store/segments/effort.ts'
import { migrate } from '../../src/store/sqlite/schema/migrate.ts'
import { segmentReader } from '../../src/store/sqlite/segments/segment-rows.ts'
import { withNumberedShapes } from '../support/numbered-shapes.ts'
import { type PlainSqlite, plainSqlite } from '../support/plain-sqlite.ts'
import { documentsOf, insertion, planOf } from '../support/plans.ts'
import { shapesOf } from '../support/shapes-of.ts'

/** The numbers of so many shapes have a chunk of their own. */
const RECORDS = 200
const FIELDS = { a: 1, b: 1, c: 1 }
const SIZES = { tailRows: RECORDS, mergedTogether: 1e9, takenOver: 1e9 }

describe('the column of shapes, in a file of an earlier version', () => {
  let store: PlainSqlite
  beforeEach(() => {
    store = plainSqlite(SIZES)
  })
  afterEach(() => store.close())

  const fill = (document: (i: number) => JsonObject) => {
    const inserted = Array.from({ length: RECORDS }, (_, i) => insertion('c', `r${i}`, document(i)))
    store.applyEach(inserted)
    return Array.from({ length: RECORDS }, (_, i) => JSON.stringify(document(i)))
  }
  /** Letter by letter. */
  const found = () =>
    documentsOf(store.find(planOf('c', {}, { limit: RECORDS, fields: FIELDS }), ENDLESS_EFFORT)).map((document) =>
      JSON.stringify(document),
    )
  const run = (statement: string) => store.connection.exec(statement)
  const changeByte = "bytes = CAST(substr(bytes, 1, 40) || x'5a' || substr(bytes, 42) AS BLOB)"

  it.each([
    [
      'of few shapes, which stand in a bundle',
      (i: number): JsonObject => (i % 2 === 0 ? { a: i, b: 1 } : { b: 1, a: i }),
    ],
    [
      'of a shape each, which have a chunk',
      (i: number): JsonObject => ({ a: i, c: { [`${'x'.repeat(30)}${i}`]: i }, b: 1 }),
    ],
  ])('is made of what stood beside it: %s', (_, document) => {
    const documents = fill(document)
    const shapes = shapesOf(store.connection)
    makeOld(store.connection)
    expect(() => shapesOf(store.connection)).toThrow()
    migrate(store.connection, 0)
    expect(shapesOf(store.connection)).toEqual(shapes)
    expect(store.check()).toEqual([])
    expect(found()).toEqual(documents)
  })

  it('is not made of a damaged one, which stays damaged', () => {
    fill((i) => ({ a: i, c: { [`${'x'.repeat(30)}${i}`]: i }, b: 1 }))
    makeOld(store.connection)
    run(`UPDATE chunk SET ${changeByte} WHERE number = 0`)
    migrate(store.connection, 0)
    expect(store.check()).toEqual([expect.stringContaining('Chunk 0 of segment 1 is damaged')])
    expect(found).toThrow('Chunk 0 of segment 1 is damaged')
  })

  it('is not made in a damaged segment, which stays damaged', () => {
    fill((i) => ({ a: i }))
    makeOld(store.connection)
    run(`UPDATE segment SET catalog = catalog || ' '`)
    migrate(store.connection, 0)
    expect(store.check()).toEqual([expect.stringContaining('Segment 1 is damaged')])
  })
})

/** Makes of the one segment of a file what version 17 of the schema had. */
function makeOld(connection: PlainSqlite['connection']): void {
  const { chunk } = segmentReader(connection)
  const stored = connection.prepare<[], { catalog: string; dead: Buffer }>('SELECT catalog, dead FROM segment').get()
  if (stored === undefined) throw new Error('there is no segment')
  const old = withNumberedShapes(1, JSON.parse(stored.catalog) as Catalog, chunk)
  const checksum = crc32(stored.dead, crc32(`1 ${old.catalog} ${old.shapes} `)) | 0
  connection.exec("ALTER TABLE segment ADD COLUMN shapes TEXT NOT NULL DEFAULT ''")
  connection.prepare('UPDATE segment SET catalog = ?, shapes = ?, checksum = ?').run(old.catalog, old.shapes, checksum)
  connection.exec('DELETE FROM chunk WHERE number >= 0')
  const put = connection.prepare('INSERT INTO chunk (segment, number, checksum, bytes) VALUES (1, ?, ?, ?)')
  for (const [at, bytes] of old.chunks.entries()) put.run(at, crc32(bytes, crc32(`1 ${at} `)) | 0, bytes)
  connection.exec('DELETE FROM migration WHERE version > 17')
  connection.pragma('user_version = 17')
}

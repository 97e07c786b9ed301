import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Catalog } from '../../src/engine/segment-chunks.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect, disconnect, type Sql } from '../../src/store/postgres/base/database.ts'
import { transact } from '../../src/store/postgres/base/transact.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { shapeColumn } from '../../src/store/postgres/schema/0006-shape-column.ts'
import { withNumberedShapes } from '../support/numbered-shapes.ts'
import { documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const RECORDS = 100
const SMALL = { tailRows: 8, mergedTogether: 3, takenOver: 16, insertedTogether: 8 }

describe.skipIf(reason !== null)(
  `the column of shapes, in PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let server: TestServer
    let database: TestDatabase
    let sql: Sql
    let store: Store

    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.stop())
    beforeEach(async () => {
      database = await server.create()
      sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
      store = await open()
      const changes = DOCUMENTS.map((document, at) => insertion('c', `r${at}`, document))
      for (const part of [changes.slice(0, RECORDS / 2), changes.slice(RECORDS / 2)])
        await store.records.applyEach(part)
    })
    afterEach(async () => {
      await store.close()
      await disconnect(sql)
      await database.drop()
    })

    const DOCUMENTS = Array.from({ length: RECORDS }, (_, a) =>
      a % 2 === 0 ? { a, c: { [`x${a}`]: 1 }, b: 1 } : { b: 1, a, c: {} },
    )
    const open = () => openPostgresStore({ url: database.url, segmentSizes: SMALL })
    /** Letter by letter. */
    const found = async (): Promise<readonly string[]> => {
      const fields = { a: 1, b: 1, c: 1 }
      const page = await store.records.find(planOf('c', {}, { fields, sort: { a: 1 }, limit: RECORDS }))
      return documentsOf(page).map((document) => JSON.stringify(document))
    }

    it('is made of what stood beside it, and what is asked meanwhile is answered from documents', async () => {
      await store.close()
      const segments = await makeOld(sql)
      expect(segments).toBeGreaterThan(1)
      const expected = DOCUMENTS.map((document) => JSON.stringify(document))
      store = await open()
      expect(await found()).toEqual(expected)
      await store.close()
      await transact(sql, async (transaction) => shapeColumn.prepare?.(transaction))
      expect(await sql`SELECT number FROM segment WHERE shapes <> '[]'`).toEqual([])
      store = await open()
      expect(await found()).toEqual(expected)
      expect(await store.check(() => {})).toEqual([])
    })

    it('is not made of a damaged one, which can be made anew as ever', async () => {
      await store.close()
      await makeOld(sql)
      await sql`UPDATE chunk SET bytes = '' WHERE number = 0`
      await transact(sql, async (transaction) => shapeColumn.prepare?.(transaction))
      store = await open()
      await store.reindex(() => {})
      expect(await store.check(() => {})).toEqual([])
      expect(await found()).toEqual(DOCUMENTS.map((document) => JSON.stringify(document)))
    })
  },
)

interface Stored {
  readonly home: string
  readonly number: number
  readonly catalog: string
}

/** Makes of all segments what version 5 of the schema had; tells how many there are. */
async function makeOld(sql: Sql): Promise<number> {
  const segments = await sql<Stored[]>`SELECT home, number, catalog FROM segment ORDER BY number`
  for (const { home, number, catalog } of segments) {
    const chunks = await sql<{ number: number; bytes: Uint8Array }[]>`
      SELECT number, bytes FROM chunk WHERE home = ${home} AND segment = ${number}`
    const read = (_: number, chunk: number) => chunks.find((one) => one.number === chunk)?.bytes as Uint8Array
    const old = withNumberedShapes(number, JSON.parse(catalog) as Catalog, read)
    await sql`UPDATE segment SET catalog = ${old.catalog}, shapes = ${old.shapes} WHERE home = ${home} AND number = ${number}`
    await sql`DELETE FROM chunk WHERE home = ${home} AND segment = ${number} AND number >= 0`
    for (const [at, bytes] of old.chunks.entries())
      await sql`INSERT INTO chunk (home, segment, number, bytes) VALUES (${home}, ${number}, ${at}, ${Buffer.from(bytes)})`
  }
  return segments.length
}

import { join } from 'node:path'
import Database from 'better-sqlite3'
import postgres from 'postgres'
import type { Storage } from '../../support/storage.ts'

/** Damages the last record of a collection, as a failing disk may; gives what mends it. */
export async function damageLast({ directory, url }: Storage, collection: string): Promise<() => Promise<void>> {
  if (url !== null) return damageRow(url, collection)
  const replace = (from: string, to: string): void => {
    const database = new Database(join(directory, 'quarry.db'))
    database
      .prepare(
        `UPDATE record SET doc = replace(doc, ?, ?)
         WHERE n = (SELECT max(n) FROM record WHERE collection = (SELECT number FROM collection WHERE name = ?))`,
      )
      .run(from, to, collection)
    database.close()
  }
  replace('"name"', '"eman"')
  return async () => replace('"eman"', '"name"')
}

/** What PostgreSQL says of a value that it finds damaged when it reads it. No statement can damage one: a view that says the same stands for the table. */
async function damageRow(url: string, collection: string): Promise<() => Promise<void>> {
  await run(
    url,
    `CREATE FUNCTION damaged() RETURNS text LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'compressed lz4 data is corrupt' USING ERRCODE = 'data_corrupted'; END $$;
     ALTER TABLE record RENAME TO sound_record;
     CREATE VIEW record AS SELECT home, collection, n, id, owner, version, stamp, is_default, note,
       CASE WHEN n = (SELECT max(n) FROM sound_record WHERE collection = '${collection}') THEN damaged() ELSE doc END AS doc
       FROM sound_record`,
  )
  return () => run(url, 'DROP VIEW record; DROP FUNCTION damaged; ALTER TABLE sound_record RENAME TO record')
}

async function run(url: string, script: string): Promise<void> {
  const sql = postgres(url, { host: decodeURIComponent(new URL(url).hostname), max: 1 })
  await sql.unsafe(script)
  await sql.end()
}

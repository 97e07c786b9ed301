import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../../src/store/postgres/base/database.ts'
import { type PostgresProcess, startPostgresIn } from '../../test/support/postgres-process.ts'
import type { Credentials } from '../servers/quarry.ts'
import {
  type DataSet,
  DOCUMENT_SOURCES,
  type FilledStore,
  fillStore,
  type Say,
  STORE_SOURCES,
  unlessMade,
} from './data-set.ts'
import { fingerprintOf } from './fingerprint.ts'

/** A data set in PostgreSQL, on a server that runs until it is stopped. */
export interface Database extends PostgresProcess {
  readonly credentials: Credentials
}

/** As it comes, but for what would happen beside what is measured: what is written stays written when the machine fails. */
export const POSTGRES_SETTINGS = ['shared_buffers=1GB', 'max_wal_size=4GB', 'jit=off', 'autovacuum=off']

/** What decides how the database is filled, beside what both stores share. */
const SOURCES = ['schema', 'write'].map((folder) =>
  fileURLToPath(new URL(`../../src/store/postgres/${folder}`, import.meta.url)),
)

/** Starts a server over a data set, which is loaded into it unless an earlier run has left it there. */
export async function prepareDatabase(
  { file, documents, dataDirectory }: DataSet,
  seed: number,
  say: Say,
): Promise<Database> {
  const folder = join(dirname(dirname(dataDirectory)), 'postgres')
  const server = join(folder, 'server')
  await unlessMade(folder, fingerprintOf([...DOCUMENT_SOURCES, ...STORE_SOURCES, ...SOURCES]), async (unfinished) => {
    say('loading them into PostgreSQL')
    mkdirSync(join(unfinished, 'server'), { recursive: true })
    const { url, stop } = await startPostgresIn(join(unfinished, 'server'), {
      settings: POSTGRES_SETTINGS,
      isKept: true,
    })
    try {
      writeFileSync(join(unfinished, 'filled.json'), await fillStore(file, url, { seed, most: documents }), {
        mode: 0o600,
      })
      const sql = connect({ url, connections: 1, statementTimeoutMs: 0 })
      await sql.unsafe('VACUUM ANALYZE')
      await sql.end()
    } finally {
      await stop()
    }
  })
  const { credentials }: FilledStore = JSON.parse(readFileSync(join(folder, 'filled.json'), 'utf8'))
  return { ...(await startPostgresIn(server, { settings: POSTGRES_SETTINGS, isKept: true })), credentials }
}

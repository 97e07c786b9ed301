import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AppError } from '../../../kernel/errors.ts'
import { projectFile } from '../../../kernel/project-files.ts'
import { damageMet, STORE_ERRORS, unfinishedMove } from '../../errors.ts'
import { MOVE_MARK } from '../../port/rows.ts'
import { PUBLIC_HOME, type Sql, type Statements, type Transaction, transact } from '../base/database.ts'
import { spreadHomes } from './spread.ts'

/** One step of the schema. It is applied while processes of the version before go on: it adds, and never takes away what they use. */
interface Migration {
  readonly version: number
  readonly name: string
  /** The oldest version of the schema whose programs can go on with the database. */
  readonly leastReader: number
  readonly script: string
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'first-release',
    leastReader: 1,
    get script() {
      return scriptOf('0001-first-release')
    },
  },
  {
    version: 2,
    name: 'removed-by-number',
    leastReader: 1,
    get script() {
      return scriptOf('0002-removed-by-number')
    },
  },
  {
    version: 3,
    name: 'words-of-organizations',
    leastReader: 1,
    get script() {
      return scriptOf('0003-words-of-organizations')
    },
  },
]

/** Read when it is applied: a server over one file has no use for it. */
function scriptOf(name: string): string {
  return readFileSync(projectFile(`src/store/postgres/schema/${name}.sql`), 'utf8')
}

/** `application_name` of a program that knows these migrations. */
export function programOf(migrations: readonly Migration[]): string {
  return `${PROGRAM}${migrations.length}`
}

const PROGRAM = 'quarry schema '

/** Tells the lock of migrations from those of other programs: the letters QRRY. */
const MIGRATION_LOCK = 0x51525259

/**
 * Brings the database to the version of the schema that a program with some migrations writes; of several processes one does it, and the others wait. A database
 * of a newer version is refused unless that says that this one can still use it; one without tables is, where it is not to get them. One that is
 * at the version is left as it is, so that who serves from it need not be allowed to change tables. What an older program uses is taken away only
 * when none is connected.
 */
export async function migrate(sql: Sql, creates: boolean, migrations = MIGRATIONS): Promise<void> {
  const version = await readVersion(sql, migrations.length)
  if (version === null && !creates) throw emptyDatabase()
  if (version === null || version < migrations.length) await bringUp(sql, migrations)
}

/** The version of the schema, which a program that knows so many can use; null where there are no tables. */
async function readVersion(sql: Statements, known: number): Promise<number | null> {
  const [table] = await sql<{ has: boolean }[]>`SELECT to_regclass('migration') IS NOT NULL AS has`
  if (table?.has !== true) return null
  const [state] = await sql<{ version: number; reader: number; first: string | null }[]>`
    SELECT coalesce(max(version), 0) AS version, coalesce(max(least_reader), 0) AS reader, min(name) FILTER (WHERE version = 1) AS first
    FROM migration`
  const { version = 0, reader = 0, first = null } = state ?? {}
  if (first !== null && first !== MIGRATIONS[0]?.name) throw olderDatabase()
  if (reader > known) throw newerDatabase(version, known)
  return version
}

function bringUp(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  return transact(sql, async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await transaction`
      CREATE TABLE IF NOT EXISTS migration (
        version integer PRIMARY KEY, name text NOT NULL, least_reader integer NOT NULL, applied_at timestamptz NOT NULL)`
    const missing = migrations.slice((await readVersion(transaction, migrations.length)) ?? 0)
    await assertNoneOlder(transaction, Math.max(0, ...missing.map(({ leastReader }) => leastReader)))
    for (const migration of missing) await apply(transaction, migration)
    await spreadHomes(transaction)
  })
}

/** Programs that would not understand what the database becomes must not be connected to it. */
async function assertNoneOlder(sql: Transaction, leastReader: number): Promise<void> {
  const connected = await sql<{ version: number }[]>`
    SELECT DISTINCT substr(application_name, ${PROGRAM.length + 1})::integer AS version FROM pg_stat_activity
    WHERE datname = current_database() AND starts_with(application_name, ${PROGRAM})`
  const older = connected.filter(({ version }) => version < leastReader)
  if (older.length > 0) throw olderConnected()
}

async function apply(transaction: Transaction, migration: Migration): Promise<void> {
  const { version, name, leastReader, script } = migration
  await transaction.unsafe(script)
  if (version === 1) await begin(transaction)
  await transaction`
    INSERT INTO migration (version, name, least_reader, applied_at) VALUES (${version}, ${name}, ${leastReader}, now())`
}

/** First rows of a new database. */
async function begin(transaction: Transaction): Promise<void> {
  await transaction`INSERT INTO number_key VALUES (${randomBytes(32)})`
  await transaction`INSERT INTO accounts_version VALUES (0)`
  await transaction`INSERT INTO home VALUES (${PUBLIC_HOME}, nextval('home_number'), 0, 0, 0, 0)`
}

/** Refuses a database that rows are being moved to. */
export async function assertMoved(sql: Sql): Promise<void> {
  const [row] = await sql<{ value: string }[]>`SELECT value FROM mark WHERE name = ${MOVE_MARK}`
  if (row !== undefined) throw unfinishedMove(row.value)
}

/** Whether a program serves from the database, or works on it. */
export async function isServed(sql: Sql): Promise<boolean> {
  const connected = await sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND starts_with(application_name, ${PROGRAM}) LIMIT 1`
  return connected.length > 0
}

/** The key under which the numbers of records leave the store. */
export async function readNumberKey(sql: Sql): Promise<Uint8Array> {
  const [row] = await sql<{ key: Uint8Array }[]>`SELECT key FROM number_key`
  if (row === undefined) throw damageMet('The database has lost the key of its numbers.')
  return row.key
}

function emptyDatabase(): AppError {
  return new AppError(STORE_ERRORS.emptyDatabase, 'The PostgreSQL database has nothing of Quarry in it.', {
    hint: 'Name another one with QUARRY_DATABASE_URL; `quarry serve` and `quarry user create` begin a new one.',
  })
}

function olderDatabase(): AppError {
  return new AppError(STORE_ERRORS.olderFile, 'The database was written by a Quarry of before the first release.', {
    hint: 'Let the Quarry that wrote it `quarry export` the records, and `quarry import` them into an empty database.',
  })
}

function olderConnected(): AppError {
  const message = 'An older Quarry still serves from the database, and would not understand what this one makes of it.'
  return new AppError(STORE_ERRORS.olderConnected, message, {
    hint: 'Start the version in between on all servers first, or stop the older ones; then start this one again.',
  })
}

function newerDatabase(version: number, known: number): AppError {
  const message = `The database has schema version ${version}; this version of Quarry knows versions up to ${known}.`
  return new AppError(STORE_ERRORS.newerFile, message, { hint: 'Start the newer Quarry that brought it there.' })
}

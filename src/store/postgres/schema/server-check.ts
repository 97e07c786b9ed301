import { AppError } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'
import type { Sql } from '../base/database.ts'
import { isMissingTable, isUnreachable, POOLER } from '../base/faults.ts'
import { tlsOf } from '../base/tls.ts'
import { readNumberKey } from './migrate.ts'

/** The oldest that is used: it compresses texts by lz4. */
const LEAST_VERSION = 15

/** Refuses as a replica what is another database. One that has not got this far yet, or cannot be reached, may come. */
export async function assertIsReplica(replica: Sql, key: Uint8Array): Promise<void> {
  const found = await readNumberKey(replica).catch((error: unknown) => {
    if (isUnreachable(error) || isMissingTable(error)) return null
    throw error
  })
  if (found === null || Buffer.compare(found, key) === 0) return
  const message = 'QUARRY_DATABASE_REPLICA_URL names a database that is no replica of the one of QUARRY_DATABASE_URL.'
  throw new AppError(STORE_ERRORS.cannotOpen, message, { hint: 'Name a streaming replica of that server, or none.' })
}

/** Facts about a server and a connection. */
interface ServerFacts {
  /** Process that serves the connection. */
  readonly pid: number
  readonly version: number
  readonly encoding: string
  readonly read_only: string
  readonly timeout: string
  readonly fsync: string
  readonly commits: string
}

function ask(sql: Sql): PromiseLike<ServerFacts[]> {
  return sql<ServerFacts[]>`
    SELECT pg_backend_pid() AS pid, current_setting('server_version_num')::integer / 10000 AS version,
      current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS read_only,
      current_setting('statement_timeout') AS timeout, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commits`
}

/**
 * Refuses a server, or what stands before it, that would not do what is asked of it, by name. Tells of settings that are less than what a write is
 * promised, and why they matter. The connections are different ones.
 */
export async function weaknessesOf(url: string, sql: Sql, writing: Sql): Promise<readonly string[]> {
  const [told] = (await ask(sql)) as [ServerFacts]
  const [other] = (await ask(writing)) as [ServerFacts]
  if (told.version < LEAST_VERSION) {
    throw unusable(`it is PostgreSQL ${told.version}`, `Quarry needs PostgreSQL ${LEAST_VERSION} or later.`)
  }
  if (told.encoding !== 'UTF8') {
    throw unusable(`its encoding is ${told.encoding}`, "Create one with ENCODING 'UTF8' TEMPLATE template0.")
  }
  if (other.read_only === 'on') {
    throw unusable('it is read-only', 'Name the primary server, not a standby, and a user that may write.')
  }
  if (told.pid === other.pid) throw unusable('a pooler lends its connections to one transaction at a time', POOLER)
  if (told.timeout === '0') throw unusable('a pooler keeps statement_timeout from it', POOLER)
  return [
    ...(tlsOf(url).isCertain
      ? []
      : ['nobody verifies who is at the other end of the network: add sslmode=verify-full to QUARRY_DATABASE_URL']),
    ...(told.fsync === 'off' ? ['fsync is off: a write that was acknowledged is lost when the machine fails'] : []),
    ...(told.commits === 'off'
      ? ['synchronous_commit is off: a write that was acknowledged is lost when the server fails']
      : []),
  ]
}

function unusable(what: string, hint: string): AppError {
  return new AppError(STORE_ERRORS.cannotOpen, `The database cannot be used: ${what}.`, { hint })
}

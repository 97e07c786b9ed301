import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/names.ts'
import { STORE_ERRORS } from '../../errors.ts'
import type { RowSource, RowTarget } from '../../port/rows.ts'
import { connect, disconnect, IN_ONE_STATE, type Sql, type Transaction, transact } from '../base/database.ts'
import { openFault } from '../base/faults.ts'
import { assertMoved, isServed, migrate } from '../schema/migrate.ts'
import { PostgresTarget } from './rows-in.ts'
import { PostgresRows, stateOf } from './rows-out.ts'

/** Tells the connections of a move from those of servers and commands. */
const CALLED = 'quarry move'
/** One for a transaction that lasts, one beside it. */
const CONNECTIONS = 2

/** Name of a database in messages: no password, nor anything else that may be one. */
export function nameOfDatabase(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** The rows of a database while nobody else has it open. */
export function openPostgresSource(url: string): Promise<RowSource> {
  return opening(url, async (sql) => {
    await migrate(sql, false)
    await assertMoved(sql)
    await assertUnused(sql, url)
    return readInOneState(sql, nameOfDatabase(url), { state: () => stateOf(sql), end: () => disconnect(sql) })
  })
}

/** The rows of a database as it is now, whoever writes to it meanwhile. */
export function openPostgresSnapshot(url: string): Promise<RowSource> {
  return opening(url, async (sql) => {
    const state = newId()
    return readInOneState(sql, nameOfDatabase(url), { state: async () => state, end: () => disconnect(sql) })
  })
}

/** A database that rows are put into bit by bit; it gets tables where it has none. */
export function openPostgresTarget(url: string): Promise<RowTarget> {
  return opening(url, async (sql) => {
    await migrate(sql, true)
    await assertUnused(sql, url)
    return new PostgresTarget(nameOfDatabase(url), {
      sql,
      reading: sql,
      replaces: false,
      remedy: 'Name one that is empty: CREATE DATABASE makes it.',
      commit: (work) => transact(sql, work),
      read: (name) => readInOneState(sql, name, { state: async () => name, end: async () => {} }),
      finish: async () => {},
      close: () => disconnect(sql),
    })
  })
}

/** The same in one transaction: until all is there, the database is as it was. `replaces`: what is in it goes. */
export function openPostgresReplacement(url: string, { replaces }: { readonly replaces: boolean }): Promise<RowTarget> {
  return opening(url, async (sql) => {
    await migrate(sql, true)
    await assertUnused(sql, url)
    const held = await hold(sql, '')
    return new PostgresTarget(nameOfDatabase(url), {
      sql,
      reading: held.sql,
      replaces,
      remedy: 'Replace it with --force, or name one that is empty.',
      commit: (work) => work(held.sql),
      read: async (name) => new PostgresRows(held.sql, name, { state: async () => name, end: async () => {} }),
      finish: () => held.end(true),
      async close() {
        await held.end(false).catch(() => {})
        await disconnect(sql)
      },
    })
  })
}

async function opening<Opened>(url: string, open: (sql: Sql) => Promise<Opened>): Promise<Opened> {
  const sql = connect({ url, connections: CONNECTIONS, statementTimeoutMs: 0, program: CALLED })
  try {
    return await open(sql)
  } catch (error) {
    await disconnect(sql)
    throw openFault(error)
  }
}

/** Refuses a database that servers or commands are connected to: what they know of it would be wrong afterwards, or be left behind. */
async function assertUnused(sql: Sql, url: string): Promise<void> {
  if (!(await isServed(sql))) return
  throw new AppError(STORE_ERRORS.inUse, `The database ${nameOfDatabase(url)} is in use; nothing was changed.`, {
    hint: 'Stop the servers, and every command that works on it, first.',
  })
}

interface Ways {
  readonly state: () => Promise<string>
  readonly end: () => Promise<void>
}

async function readInOneState(sql: Sql, name: string, { state, end }: Ways): Promise<RowSource> {
  const held = await hold(sql, IN_ONE_STATE)
  return new PostgresRows(held.sql, name, {
    state,
    async end() {
      await held.end(true)
      await end()
    },
  })
}

/** A transaction that lasts until it is told to end; it is kept or taken back. */
interface OpenTransaction {
  readonly sql: Transaction
  end(isKept: boolean): Promise<void>
}

class TakenBack extends Error {}

function hold(sql: Sql, mode: '' | typeof IN_ONE_STATE): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const over = transact(
      sql,
      async (transaction) => {
        // Between two statements it waits for the other store.
        await transaction`SET LOCAL idle_in_transaction_session_timeout = 0`
        await new Promise<void>((keep, takeBack) => {
          resolve({
            sql: transaction,
            async end(isKept) {
              if (isKept) keep()
              else takeBack(new TakenBack())
              await over.catch((error: unknown) => (error instanceof TakenBack ? undefined : Promise.reject(error)))
            },
          })
        })
      },
      mode,
    )
    over.catch(reject)
  })
}

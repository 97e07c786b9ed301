import postgres from 'postgres'
import { pauseAfter } from './back-off.ts'
import { isCutOff } from './faults.ts'
import { Sockets, type Target } from './sockets.ts'
import { tlsOf } from './tls.ts'

/** Statement of the driver, which resolves its promise itself once `handle` has been called. */
interface DriverStatement {
  executed: boolean
  resolve: (result: unknown) => void
  handle(): unknown
}

interface Unsent {
  /** Makes a statement, which is sent once somebody waits for it. */
  unsafe(text: string): object
}

const mended = new WeakSet<DriverStatement>()

/** Closes holes in results: behind a statement that fails after so many rows, the driver (3.4.9) begins the next result with as many holes. */
export function withoutHoles<Connections extends Unsent>(connections: Connections): Connections {
  // It is not sent: nobody waits for it.
  const statements = Object.getPrototypeOf(connections.unsafe('')) as DriverStatement
  if (mended.has(statements)) return connections
  mended.add(statements)
  const { handle } = statements
  statements.handle = function (this: DriverStatement) {
    if (!this.executed) {
      const { resolve } = this
      this.resolve = (result) => resolve(closed(result))
    }
    return handle.call(this)
  }
  return connections
}

function closed(result: unknown): unknown {
  if (Array.isArray(result) && result.length > 0 && !(0 in result)) {
    result.splice(0, Number(Object.keys(result)[0]))
  }
  return result
}

/** Types that statements are given beside those of the driver. */
type SqlTypes = { bigint: number }

/** Connections to the database: one for each question at a time, and more questions behind it. */
export type Sql = postgres.Sql<SqlTypes>

export type Transaction = postgres.TransactionSql<SqlTypes>

export type Statements = Sql | Transaction

/** Address of a database, and limits on its use. */
export interface DatabaseOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`; a host with slashes, written as `%2F`, is the folder of a socket. */
  readonly url: string
  readonly connections: number
  /** `application_name` of the connections. */
  readonly program?: string
  /** Time after which the database ends a statement, in milliseconds. */
  readonly statementTimeoutMs: number
  /** Hears of each statement that is sent; for tests. */
  readonly onStatement?: ((text: string) => void) | undefined
}

const INT8 = 20
/** The same as text would be handed over to JavaScript: all that is kept in them is below 2^53. */
const WHOLE = { to: INT8, from: [INT8], serialize: String, parse: Number }

const CONNECT_TIMEOUT_S = 3
/** Between tries to connect, in milliseconds. */
const BETWEEN_CONNECTS = { from: 20, to: 1000 } as const

const socketsOf = new WeakMap<Sql, Sockets>()

/** Opens connections when they are needed. Nothing is asked of the session but what comes with the connection. */
export function connect(options: DatabaseOptions): Sql {
  const { url, connections, program = 'quarry', statementTimeoutMs, onStatement } = options
  const host = decodeURIComponent(new URL(url).hostname)
  const tls = tlsOf(url)
  const sockets = new Sockets()
  const settings = {
    ssl: tls.ssl,
    // Not among the types of the driver, and meant for this.
    socket: (target: Target) => sockets.connect(target),
    backoff: (tries: number) => pauseAfter(tries, BETWEEN_CONNECTS) / 1000,
    ...(host.startsWith('/') ? { host } : {}),
    max: connections,
    connect_timeout: CONNECT_TIMEOUT_S,
    types: { bigint: WHOLE },
    connection: { application_name: program, statement_timeout: statementTimeoutMs },
    ...(onStatement === undefined ? {} : { debug: (_: number, text: string) => onStatement(text) }),
    onnotice() {},
  }
  const sql = withoutHoles(postgres(tls.url, settings))
  socketsOf.set(sql, sockets)
  return sql
}

/** Waits for work that asks something of a database: not for ever, where nothing is heard of that. */
export function patiently<Result>(sql: Sql, work: Promise<Result>, milliseconds: number): Promise<Result> {
  return socketsOf.get(sql)?.patiently(work, milliseconds) ?? work
}

export function heardFrom(sql: Sql): number {
  return socketsOf.get(sql)?.heard ?? 0
}

/** Time that connections may take to end, in seconds. */
const DISCONNECT_TIMEOUT_S = 1

/** Ends connections once nothing is asked of them any more. The driver would wait for one that was lost within a transaction for ever. */
export function disconnect(sql: Sql): Promise<void> {
  return sql.end({ timeout: DISCONNECT_TIMEOUT_S })
}

/** Home of public records; every other home has the id of its account as its name, without a colon. */
export const PUBLIC_HOME = 'public:0'

/** Stands among the homes for users, accounts and tokens, whose version it has. */
export const ACCOUNTS_HOME = 'accounts:0'

/** PostgreSQL keeps no text with the character 0: nothing is found under one, and it is not asked for it. */
export function isKept(text: string): boolean {
  return !text.includes('\0')
}

/** A row as bytes of text, as it comes from the database: a document in it is sent as it is. */
export type RawRow = readonly (Buffer | null)[]

export function numberIn(row: RawRow, at: number): number {
  return Number((row[at] as Buffer).toString('latin1'))
}

/** Mode of a read-only transaction, which sees everything as it was at one moment. */
export const IN_ONE_STATE = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Does work in a transaction. Where the connection is lost nothing is taken back: writing that to it, as the driver would, ends the process. */
export function transact<Result>(
  sql: Sql,
  work: (sql: Transaction) => Promise<Result>,
  mode: '' | typeof IN_ONE_STATE = '',
): Promise<Result> {
  return sql.begin(mode, (transaction) =>
    work(transaction).catch((error: unknown) =>
      isCutOff(error) ? new Promise<never>(() => {}) : Promise.reject(error),
    ),
  ) as Promise<Result>
}

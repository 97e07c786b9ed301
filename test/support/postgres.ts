import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/store/postgres/base/database.ts'

/** Where Debian's packages have the programs of PostgreSQL, the newest version first. */
const INSTALLED = '/usr/lib/postgresql'

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A server that tests share. */
export interface TestServer {
  /** Makes an empty database. */
  create(): Promise<TestDatabase>
  stop(): Promise<void>
}

/** Why there is no PostgreSQL to test with; null where there is. */
export function missingPostgres(): string | null {
  if (process.env['QUARRY_TEST_DATABASE_URL'] !== undefined) return null
  return programs() === null ? `no PostgreSQL in ${INSTALLED}, and QUARRY_TEST_DATABASE_URL names none` : null
}

/** Uses the server that QUARRY_TEST_DATABASE_URL names, or starts one. */
export async function startPostgres(): Promise<TestServer> {
  const given = process.env['QUARRY_TEST_DATABASE_URL']
  if (given !== undefined) return serverAt(given, async () => {})
  const folder = programs()
  if (folder === null) throw new Error(missingPostgres() ?? '')
  return startOwn(folder)
}

function programs(): string | null {
  if (!existsSync(INSTALLED)) return null
  const versions = readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))
  const found = versions
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
  return found ?? null
}

/** What is written is lost with the test: nothing waits for the disk. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'jit=off', 'max_connections=200']

/** PostgreSQL refuses to run as root: then it runs as a user that can do nothing else. */
async function startOwn(bin: string): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-pg-'))
  const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? userOfNothing() : {}
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid ?? user.uid)
  const data = join(directory, 'data')
  const init = ['-D', data, '-U', 'quarry', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(bin, 'initdb'), init, { ...user, cwd: directory, stdio: 'pipe' })
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, ...SETTINGS].map(
    (each) => `-c ${each}`,
  )
  const control = (...given: string[]) =>
    execFileSync(join(bin, 'pg_ctl'), ['-D', data, '-w', '-s', ...given], { ...user, cwd: directory, stdio: 'ignore' })
  control('-l', join(directory, 'log'), '-o', settings.join(' '), 'start')
  return serverAt(`postgres://quarry@${encodeURIComponent(directory)}/postgres`, async () => {
    control('-m', 'immediate', 'stop')
    rmSync(directory, { recursive: true, force: true })
  })
}

function userOfNothing(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
  return { uid: id('-u'), gid: id('-g') }
}

function serverAt(url: string, stop: () => Promise<void>): TestServer {
  const sql = connect({ url, connections: 1, statementTimeoutMs: 0 })
  let last = 0
  return {
    async create() {
      last += 1
      const name = `quarry_${process.pid}_${Date.now().toString(36)}_${last}`
      await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`)
      const own = url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
      return {
        url: own,
        async drop() {
          await sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
        },
      }
    },
    async stop() {
      await sql.end()
      await stop()
    },
  }
}

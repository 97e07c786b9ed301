import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Debian's packages have the programs of PostgreSQL, the newest version first. */
const INSTALLED = '/usr/lib/postgresql'

/** The folder of the programs of the newest PostgreSQL that is installed; null where none is. */
export function programs(): string | null {
  if (!existsSync(INSTALLED)) return null
  const versions = readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))
  const found = versions
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
  return found ?? null
}

/** Why there is no PostgreSQL to test with; null where there is. */
export function missingPostgres(): string | null {
  if (process.env['QUARRY_TEST_DATABASE_URL'] !== undefined) return null
  return programs() === null ? `no PostgreSQL in ${INSTALLED}, and QUARRY_TEST_DATABASE_URL names none` : null
}

/** A server that was started. */
export interface PostgresProcess {
  readonly url: string
  /** Of the process that all others of the server are children of. */
  readonly pid: number
  /** Starts it over what it has on disk, when it has been killed. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

interface Terms {
  /** As in the configuration file, `name=value`. */
  readonly settings: readonly string[]
  /** Whether what it has written stays when it ends. */
  readonly isKept: boolean
}

/**
 * Starts a server, says so, starts it again for each line of its input, and ends it when that ends: with the process that has started it, however
 * that one ends. What it has written goes too, unless it is to be kept. One that was killed is gone when the last of its children is.
 */
const SUPERVISOR = `
  "$1/pg_ctl" -D "$2/data" -w -s -l "$2/log" -o "$3" start >/dev/null || { cat "$2/log" >&2; rm -rf "$5"; exit 1; }
  echo ready
  while read -r again; do
    until "$1/pg_ctl" -D "$2/data" -w -s -l "$2/log" -o "$3" start >/dev/null 2>&1; do sleep 0.1; done
    echo ready
  done
  "$1/pg_ctl" -D "$2/data" -w -s -m "$4" stop >/dev/null
  rm -rf "$5"`

/** Starts a server over what is in a directory, or over nothing. */
export async function startPostgresIn(directory: string, { settings, isKept }: Terms): Promise<PostgresProcess> {
  const bin = programs()
  if (bin === null) throw new Error(`There is no PostgreSQL in ${INSTALLED}.`)
  const user = runAsServer()
  giveToServer(directory)
  // The address of a socket is short, however deep what is kept lies.
  const sockets = isKept ? giveToServer(mkdtempSync(join(tmpdir(), 'quarry-pg-'))) : directory
  const data = join(directory, 'data')
  if (!existsSync(data)) {
    const init = ['-D', data, '-U', 'quarry', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    execFileSync(join(bin, 'initdb'), init, { ...user, cwd: directory, stdio: 'pipe' })
  }
  const options = ['listen_addresses=', `unix_socket_directories=${sockets}`, ...settings].map((each) => `-c ${each}`)
  const mode = isKept ? 'fast' : 'immediate'
  const supervisor = spawn('sh', ['-c', SUPERVISOR, 'sh', bin, directory, options.join(' '), mode, sockets], {
    ...user,
    cwd: '/',
    // Of no terminal: what interrupts the tests must not end it before the server.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(supervisor, 'exit')
  const isReady = await Promise.race([once(supervisor.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isReady) throw new Error(`PostgreSQL does not start in ${directory}.`)
  return {
    url: `postgres://quarry@${encodeURIComponent(sockets)}/postgres`,
    get pid() {
      return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    },
    async startAgain() {
      supervisor.stdin.write('again\n')
      await once(supervisor.stdout, 'data')
    },
    async stop() {
      supervisor.stdin.end()
      await ended
    },
  }
}

/** A server refuses to run as root: then it runs as a user that can do nothing else. */
export function runAsServer(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
  return { uid: id('-u'), gid: id('-g') }
}

/** Gives a file or folder to the user that servers run as. */
export function giveToServer(path: string): string {
  const { uid, gid } = runAsServer()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  return path
}

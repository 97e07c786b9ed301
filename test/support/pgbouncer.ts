import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, freePort } from './programs.ts'

/** Why there can be no pooler here; null when there can. */
export function missingPgbouncer(): string | null {
  return findProgram('pgbouncer') === null ? 'pgbouncer is not installed' : null
}

/** A running PgBouncer before a database. */
export interface Pooler {
  readonly url: string
  close(): Promise<void>
}

/** Starts PgBouncer with some settings, as it ships but for them; it does not run as root. */
export async function startPgbouncer(database: string, settings: readonly string[]): Promise<Pooler> {
  const { hostname, pathname } = new URL(database)
  const directory = mkdtempSync(join(tmpdir(), 'quarry-pool-'))
  const port = await freePort()
  const own = ['listen_addr=127.0.0.1', `listen_port=${port}`, 'auth_type=any', 'unix_socket_dir=', ...settings]
  const file = join(directory, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]\n* = host=${decodeURIComponent(hostname)} user=quarry\n[pgbouncer]\n${own.join('\n')}\n`,
  )
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn(findProgram('pgbouncer') ?? '', ['-q', ...user, file], { stdio: 'ignore' })
  const ended = once(pooler, 'exit')
  while (!(await isTaken(port))) {
    if (pooler.exitCode !== null) throw new Error('PgBouncer does not start.')
  }
  return {
    url: `postgres://quarry@127.0.0.1:${port}${pathname}`,
    async close() {
      pooler.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const taken = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return taken
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../build.mjs'
import { ROOT } from '../command.mjs'

/** A server to look at, with the library of crystals, and its first user. */
export interface ShownServer {
  readonly origin: string
  readonly user: string
  readonly password: string
  /** The material that has a page in the pictures. */
  readonly materialId: string
  readonly organizationId: string
  close(): Promise<void>
}

/** Two metals, bonds and polyhedra, and a pattern with planes that people know. */
const SHOWN = { formula: 'SrTiO3' }

const NOTICE =
  /address\s+(\S+)[\s\S]*user\s+(\S+)[\s\S]*password\s+(\S+)[\s\S]*account\s+(\S+)[\s\S]*token\s+(\S+)[\s\S]*listening/

/** Starts a server on a free port, with a directory of its own that goes when it is closed. */
export async function startShownServer(): Promise<ShownServer> {
  if (!(await ensureBuilt())) throw new Error('what is to be shown could not be built')
  const data = mkdtempSync(join(tmpdir(), 'quarry-shown-'))
  const program = [join('dist', 'cli', 'main.js'), 'serve', '--data', data, '--port', '0']
  const server = spawn(process.execPath, program, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(server, 'exit')

  async function close(): Promise<void> {
    server.kill()
    await ended
    rmSync(data, { recursive: true, force: true })
  }

  try {
    const [, origin = '', user = '', password = '', account = '', token = ''] = await noticeOf(server)
    const query = encodeURIComponent(JSON.stringify(SHOWN))
    const answer = await fetch(`${origin}/api/2018-10-01/materials?query=${query}`, {
      headers: { 'x-account-id': account, 'x-auth-token': token },
    })
    const { data: found = [] } = (await answer.json()) as { data?: readonly { readonly _id: string }[] }
    const [first] = found
    if (first === undefined) throw new Error(`there is no material with ${JSON.stringify(SHOWN)}`)
    const made = await fetch(`${origin}/api/2018-10-01/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-account-id': account, 'x-auth-token': token },
      body: JSON.stringify({ name: 'Crystal-Lab' }),
    })
    const { data: lab } = (await made.json()) as { data: { readonly _id: string } }
    return { origin, user, password, materialId: first._id, organizationId: lab._id, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What a first start says, on either stream; the library is loaded by then. */
async function noticeOf(server: ChildProcess): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      const found = NOTICE.exec(said)
      if (found !== null) resolve(found)
    }
    server.stdout?.on('data', hear)
    server.stderr?.on('data', hear)
    server.once('exit', () => reject(new Error(`the server ended: ${said}`)))
  })
}

/**
 * Measures what the longest bodies of one user do to another. Starts a server on a new data directory and reads one record over and over while bodies of
 * 64 MiB are sent, one kind after the other: forms with hostile boundaries and with as many parts as fit, with and without an `Idempotency-Key`, in
 * chunks, as another type. Tells how long the slowest of the reads took, and what the request thread has spent, and which of its turns were too long. A process of the lowest priority
 * sends them: what they cost it is not to be what is measured.
 *
 *     npx tsx scripts/long-bodies.ts --only form --mib 64
 *
 * Exit code 1: a read took longer than it may. Times need a machine that does nothing else.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { fill } from './hostile/fill.ts'
import { SteadyReader } from './hostile/steady-reader.ts'
import { createToken, createUser } from './hostile/users.ts'
import { sendingsOf } from './long-bodies/bodies.ts'
import type { Order } from './long-bodies/send-process.ts'
import { conclude, wholeNumber } from './measured.ts'

const MOST_MS = 25

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, mib: { type: 'string', default: '64' } },
})
const bytes = wholeNumber('mib', values.mib) * 2 ** 20 - 4096

const data = await mkdtemp(join(tmpdir(), 'quarry-bodies-'))
try {
  process.exitCode = await run()
} finally {
  await rm(data, { recursive: true, force: true })
}

async function run(): Promise<0 | 1> {
  for (const name of ['alice', 'mallory']) await createUser(data, name)
  const alice = await createToken(data, 'alice')
  const hostile = {
    writer: await createToken(data, 'mallory'),
    reader: await createToken(data, 'mallory', ['--read-only']),
  }
  const server = await startServer(data, ['--no-samples'])
  const sender = fork(fileURLToPath(new URL('long-bodies/send-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  let isFine = true
  const reads: number[] = []
  const sendings = sendingsOf(bytes).filter(({ name }) => name.includes(values.only))
  try {
    const [id = ''] = await fill(server.url, alice, 500)
    console.log('slowest read in ms, reads above 10 ms, milliseconds of the request thread on a processor\n')
    for (const sending of sendings) {
      const read = new SteadyReader(`${server.url}/api/2018-10-01/materials/${id}`, alice)
      const before = await threadMs(server)
      const { name, key } = sending
      const status = await send(sender, { url: server.url, bytes, name, key, as: hostile[sending.as ?? 'writer'] })
      const { slowest, slow, count } = await read.end()
      reads.push(count)
      const spent = (await threadMs(server)) - before
      isFine &&= slowest <= MOST_MS
      const cells = [slowest.toFixed(1).padStart(8), String(slow).padStart(5), spent.toFixed(0).padStart(6)]
      console.log(`${cells.join(' ')}  ${status}  ${sending.name}${sending.key ? ', with a key' : ''}`)
    }
    const turns = server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"turn.too-long"'))
    console.log(`turns of the event loop of more than 50 ms: ${turns.length}`)
    for (const line of turns) console.log(`  ${line}`)
    isFine &&= turns.length === 0
  } finally {
    sender.kill()
    await server.stop()
  }
  return conclude(isFine, [
    { what: 'bodies', count: reads.length, least: sendings.length },
    { what: 'reads beside each', count: Math.min(...reads), least: 1 },
  ])
}

/** Sends a body from a process of its own, of the lowest priority; gives the status of the answer, 0 where the connection ended. */
async function send(sender: ChildProcess, order: Order): Promise<number> {
  const answered = once(sender, 'message')
  sender.send(order)
  const [status] = await answered
  return status
}

/** What the request thread has had of processors. */
async function threadMs({ pid }: ServerProcess): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'latin1')).split(' ')[0]) / 1e6
}

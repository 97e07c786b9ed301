/**
 * Measures what the longest bodies of one user do to another. Starts a server on a new data directory and reads one record over and over while bodies of
 * 64 MiB are sent, one kind after the other: forms with hostile boundaries and with as many parts as fit, with and without an `Idempotency-Key`, in
 * chunks, as another type. Tells how long the slowest of the reads took, and what the request thread has spent.
 *
 *     npx tsx scripts/long-bodies.ts --only form --mib 64
 *
 * Exit code 1: a read took longer than it may. Times need a machine that does nothing else.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { fill } from './hostile/fill.ts'
import { SteadyReader } from './hostile/steady-reader.ts'
import { type Credentials, createToken, createUser } from './hostile/users.ts'
import { conclude, wholeNumber } from './measured.ts'

const MOST_MS = 25
const MIB = 2 ** 20
const PATH = '/api/2018-10-01'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, mib: { type: 'string', default: '64' } },
})
const bytes = wholeNumber('mib', values.mib) * MIB - 4096

/** A body, and how it is sent. */
interface Sending {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly body: () => Buffer
  readonly key: boolean
  readonly as?: 'reader'
  /** Bytes of a chunk, where it is sent in chunks. */
  readonly chunk?: number
}

const IMPORT = `${PATH}/materials/import`
const formOf = (boundary: string) => `multipart/form-data; boundary=${boundary}`
const LONG_BOUNDARY = '----FormBoundary7MA4YWxkTrZu0gW'

const SENDINGS: readonly Sending[] = [
  ...['a', '-', '-'.repeat(70), `${'-'.repeat(69)}a`].map((boundary) => ({
    name: `form of nothing but its boundary (${boundary.slice(0, 3)}, ${boundary.length} long)`,
    path: IMPORT,
    type: formOf(boundary),
    body: () => Buffer.alloc(bytes, boundary),
    key: true,
  })),
  {
    name: 'form, read-only token',
    path: IMPORT,
    type: formOf('a'),
    body: () => Buffer.alloc(bytes, 'a'),
    key: true,
    as: 'reader',
  },
  {
    name: 'form without a boundary',
    path: IMPORT,
    type: 'multipart/form-data',
    body: () => Buffer.alloc(bytes, 'a'),
    key: true,
  },
  ...[true, false].flatMap((key) => [
    { name: 'form of one file', path: IMPORT, type: formOf(LONG_BOUNDARY), body: () => oneFile(), key },
    { name: 'form of tiny files', path: IMPORT, type: formOf(LONG_BOUNDARY), body: () => tinyFiles(), key },
    { name: 'form of tiny fields', path: IMPORT, type: formOf(LONG_BOUNDARY), body: () => tinyFields(), key },
    { name: 'JSON', path: IMPORT, type: 'application/json', body: () => jsonOf(bytes), key },
    {
      name: 'JSON in chunks of 64 KiB',
      path: IMPORT,
      type: 'application/json',
      body: () => jsonOf(bytes),
      key,
      chunk: 65_536,
    },
  ]),
  {
    name: 'JSON in chunks of 16 bytes',
    path: IMPORT,
    type: 'application/json',
    body: () => jsonOf(MIB),
    key: true,
    chunk: 16,
  },
  {
    name: 'structure of 20 MiB',
    path: `${PATH}/structures/analyze`,
    type: 'application/json',
    body: () => jsonOf(20 * MIB),
    key: false,
  },
  {
    name: 'record of 9 MiB',
    path: `${PATH}/methods`,
    type: 'application/json',
    body: () => method(9 * MIB),
    key: true,
  },
  { name: 'another type', path: IMPORT, type: 'text/plain', body: () => Buffer.alloc(bytes, 'a'), key: true },
  {
    name: 'lines that are empty',
    path: `${PATH}/materials/bulk`,
    type: 'application/x-ndjson',
    body: () => Buffer.alloc(bytes, '\n'),
    key: false,
  },
]

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
  let isFine = true
  const reads: number[] = []
  const sendings = SENDINGS.filter(({ name }) => name.includes(values.only))
  try {
    const [id = ''] = await fill(server.url, alice, 500)
    console.log('slowest read in ms, reads above 10 ms, milliseconds of the request thread on a processor\n')
    for (const sending of sendings) {
      const body = sending.body()
      const read = new SteadyReader(`${server.url}${PATH}/materials/${id}`, alice)
      const before = await threadMs(server)
      const status = await send(server.url, sending, body, hostile[sending.as ?? 'writer'])
      const { slowest, slow, count } = await read.end()
      reads.push(count)
      const spent = (await threadMs(server)) - before
      isFine &&= slowest <= MOST_MS
      const cells = [slowest.toFixed(1).padStart(8), String(slow).padStart(5), spent.toFixed(0).padStart(6)]
      console.log(`${cells.join(' ')}  ${status}  ${sending.name}${sending.key ? ', with a key' : ''}`)
    }
  } finally {
    await server.stop()
  }
  return conclude(isFine, [
    { what: 'bodies', count: reads.length, least: sendings.length },
    { what: 'reads beside each', count: Math.min(...reads), least: 1 },
  ])
}

function send(url: string, { path, type, key, chunk }: Sending, body: Buffer, as: Credentials): Promise<number> {
  const framing = chunk === undefined ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' }
  const headers = { ...as, 'content-type': type, ...framing, ...(key ? { 'idempotency-key': `${Math.random()}` } : {}) }
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    // A refusal may come, and the connection end, before all has been sent.
    sent.on('error', () => resolve(0))
    void write(sent, body, chunk ?? 65_536)
  })
}

async function write(sent: ReturnType<typeof request>, body: Buffer, length: number): Promise<void> {
  for (let from = 0; from < body.length && !sent.destroyed; from += length) {
    if (sent.write(body.subarray(from, from + length))) continue
    await untilTaken(sent)
  }
  sent.end()
}

/** Waits until more is taken, or nothing more ever will be. */
function untilTaken(sent: ReturnType<typeof request>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sent.off('drain', done).off('close', done)
      resolve()
    }
    sent.on('drain', done).on('close', done)
  })
}

/** What the request thread has had of processors. */
async function threadMs({ pid }: ServerProcess): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'latin1')).split(' ')[0]) / 1e6
}

function oneFile(): Buffer {
  const head = `--${LONG_BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a.cif"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'data_a '), Buffer.from(`\r\n--${LONG_BOUNDARY}--\r\n`)])
}

function tinyFiles(): Buffer {
  return manyParts('name="f"; filename="a.cif"')
}

function tinyFields(): Buffer {
  return manyParts('name="tags"')
}

function manyParts(what: string): Buffer {
  const part = `--${LONG_BOUNDARY}\r\nContent-Disposition: form-data; ${what}\r\n\r\nx\r\n`
  return Buffer.from(`${part.repeat(Math.floor(bytes / part.length))}--${LONG_BOUNDARY}--\r\n`)
}

function jsonOf(length: number): Buffer {
  return Buffer.from(JSON.stringify({ name: 'a.cif', content: 'data_a '.repeat(Math.floor(length / 7) - 100) }))
}

function method(length: number): Buffer {
  return Buffer.from(JSON.stringify({ type: 'pseudopotential', subtype: 'us', name: 'long', text: 'x'.repeat(length) }))
}

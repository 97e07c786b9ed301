import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDirectory } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'
import { type ServerProcess, startServer, stopServers } from './server-process.ts'

/** As far as a server goes beyond what it takes idle, in MiB. */
const MOST_MIB = 400
const MOST_MIB_OF_FILES = 200
const MIB = 2 ** 20
const FILE_MIB = triesOf('largeFile')

let server: ServerProcess
let idle: number
let headers: Record<string, string>

/** Each part has a server of its own, of which the most that it has taken is asked. */
function withServer(): void {
  const directory = newDataDirectory()
  beforeAll(async () => {
    server = await startServer(directory.data, ['--no-samples'])
    const told = (name: string) => new RegExp(`${name}\\s+(\\S+)`).exec(server.lines.join('\n'))?.[1] ?? ''
    headers = { 'x-account-id': told('account'), 'x-auth-token': told('token') }
  })
  afterAll(async () => {
    await stopServers()
    directory.remove()
  })

  it('when it is ready, which is measured', async () => {
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 30_000 }).toBe(200)
    idle = mebibytes('VmRSS')
    expect(idle).toBeLessThan(MOST_MIB)
  })
}

/** As the kernel tells it: `VmRSS` now, `VmHWM` at the most. */
function mebibytes(name: 'VmRSS' | 'VmHWM'): number {
  const kibibytes = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) / 1024
}

async function send(method: string, path: string, body: string, type = 'application/json') {
  const sent = { ...headers, 'content-type': type }
  const answer = await fetch(`${server.url}/api/2018-10-01/${path}`, { method, headers: sent, body })
  return { status: answer.status, text: await answer.text() }
}

/** Sends a file of which the whole is never at hand. */
async function putAsItComes(path: string, pieces: Iterable<Buffer>) {
  const sending = request(`${server.url}/api/2018-10-01/${path}`, { method: 'PUT', headers })
  const answered = once(sending, 'response')
  await pipeline(Readable.from(pieces), sending)
  const [answer] = (await answered) as [IncomingMessage]
  return { status: answer.statusCode, text: await text(answer) }
}

/** So many mebibytes, no two of which are alike. */
function* mebibytesOf(count: number): Generator<Buffer> {
  const piece = createHash('shake256', { outputLength: MIB }).update('a large file').digest()
  for (let at = 0; at < count; at++) {
    piece.writeUInt32BE(at)
    yield Buffer.from(piece)
  }
}

function sha256Of(pieces: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

async function readFrom(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const answer = await fetch(`${server.url}/api/2018-10-01/${path}`, { headers })
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    hash.update(piece)
  }
  return { bytes, sha256: hash.digest('hex') }
}

const record = (fields: object) => JSON.stringify({ type: 'a', subtype: 'b', ...fields })
const named = (count: number, by: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${by}${at}`, at]))

// The kernel of Linux alone tells how much it was at the most.
describe.runIf(process.platform === 'linux')('the memory of a server', () => {
  withServer()

  it(`stays within ${MOST_MIB_OF_FILES} MiB with a file of ${FILE_MIB} MiB that is put, read, and read in an archive`, async () => {
    const { text } = await send('POST', 'methods', record({}))
    const place = `methods/${JSON.parse(text).data._id}/files`
    const times: Record<string, number> = {}
    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const began = performance.now()
      const result = await work()
      times[what] = (performance.now() - began) / 1000
      return result
    }
    const put = await timed('put', () => putAsItComes(`${place}/large.bin`, mebibytesOf(FILE_MIB)))
    const { data } = JSON.parse(put.text)
    const expected = { bytes: FILE_MIB * MIB, sha256: sha256Of(mebibytesOf(FILE_MIB)) }
    expect([put.status, data.size, data.sha256]).toEqual([200, expected.bytes, expected.sha256])
    expect(await timed('read', () => readFrom(`${place}/large.bin`))).toEqual(expected)
    expect((await timed('archive', () => readFrom(`${place}.zip`))).bytes).toBeGreaterThan(expected.bytes)
    const grown = mebibytes('VmHWM') - idle
    if (process.env['STUDIES'] !== undefined) console.log({ megabytes: FILE_MIB, idle, grown, ...times })
    expect(grown).toBeLessThan(MOST_MIB_OF_FILES)
  })
})

describe.runIf(process.platform === 'linux')(`the memory of a server stays within ${MOST_MIB} MiB`, () => {
  withServer()

  it.each([
    ['records of 190,000 names each', 4, 201, (at: number) => record({ data: named(190_000, `p${at}-`) })],
    ['records of 500,000 names each, which are refused', 2, 422, () => record({ data: named(500_000, 'k') })],
    ['a million empty objects, which are refused', 2, 422, () => record({ data: new Array(1_000_000).fill({}) })],
  ] as const)('beyond that of an idle one with %s', async (_, times, status, body) => {
    for (let at = 0; at < times; at++) expect((await send('POST', 'methods', body(at))).status).toBe(status)
    const url = `${server.url}/api/2018-10-01/methods/count?query={"data.nosuch":1}`
    expect(await (await fetch(url, { headers })).text()).toContain('"count":0')
    expect(mebibytes('VmHWM') - idle).toBeLessThan(MOST_MIB)
  })

  it('beyond that of an idle one with a change of 350 records of 90 KB, as long as a change may be', async () => {
    const list = Array.from({ length: 6500 }, (_, at) => at * 1.37)
    const lines = Array.from({ length: 350 }, (_, at) => record({ subtype: 'many', name: `n${at}`, data: { list } }))
    expect((await send('POST', 'methods/bulk', lines.join('\n'), 'application/x-ndjson')).text).toContain(
      '"stored":350',
    )
    const change = { query: { subtype: 'many' }, expectedCount: 350, change: { $set: { flag: true } } }
    expect((await send('PATCH', 'methods', JSON.stringify(change))).text).toContain('"changed":350')
    expect(mebibytes('VmHWM') - idle).toBeLessThan(MOST_MIB)
  })

  it('beyond that of an idle one with files of many structures', async () => {
    const frame = '1\n\nHe 0 0 0\n'
    const form = new FormData()
    form.set('file', new Blob([frame.repeat(600_000)]), 'many.xyz')
    form.set('frame', 'all')
    const url = `${server.url}/api/2018-10-01/materials/import`
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    expect([answer.status, await answer.text()]).toEqual([expect.any(Number), expect.stringContaining('41318')])
    expect(mebibytes('VmHWM') - idle).toBeLessThan(MOST_MIB)
  })
})

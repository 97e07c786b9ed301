import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliOptions, runCli } from '../support/cli.ts'
import { CAN_MOUNT, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { noticedHeaders, type ServerProcess, startServer, stopServers } from './server-process.ts'

const MIB = 2 ** 20
const LINES = 12_000
const method = (n: number) => JSON.stringify({ type: 'pseudopotential', subtype: 'us', n, text: 'x'.repeat(1000) })
const linesUpTo = (count: number) => Array.from({ length: count }, (_, n) => `${method(n)}\n`).join('')
const lines = linesUpTo(LINES)
/** Only what the disk itself refuses is refused. */
const UNTIL_FULL: CliOptions = { environment: { QUARRY_FREE_SPACE_MB: '0' } }

interface Ending {
  readonly outcome: string
  readonly stored: number
  readonly error: { readonly code: number; readonly message: string; readonly data: { readonly hint: string } }
}

describe.skipIf(!CAN_MOUNT)('on a small disk (which takes root to mount)', () => {
  let disk: SmallDisk
  let data: string
  beforeEach(() => {
    disk = mountSmallDisk(64)
    data = join(disk.directory, 'data')
  })
  afterEach(async () => {
    await stopServers()
    disk.remove()
  })

  const start = (options: CliOptions) => startServer(data, ['--no-samples'], options)
  const countOf = async (server: ServerProcess, headers: Record<string, string>) => {
    const answer = await fetch(`${server.url}/api/2018-10-01/methods/count`, { headers })
    return ((await answer.json()) as { data: { count: number } }).data.count
  }

  it('a bulk load ends with what is wrong and what is stored, readers go on, and writers when there is room', async () => {
    const server = await start(UNTIL_FULL)
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/x-ndjson' }
    const address = `${server.url}/api/2018-10-01/methods`
    disk.fill(8 * MIB)
    const answer = await fetch(`${address}/bulk`, { method: 'POST', headers, body: lines })
    const reports = (await answer.text()).trimEnd().split('\n')
    const ending = JSON.parse(reports.pop() ?? '') as Ending
    expect(ending).toMatchObject({ outcome: 'broken', skipped: 0, refused: 0, error: { code: 50701 } })
    expect(ending.error.message).toBe('The disk of the server is full; nothing of the write was kept.')
    expect(ending.error.data.hint).toMatch(/^Room has to be made on the disk of its data/)
    expect(reports.filter((line) => line.includes('"outcome":"stored"'))).toHaveLength(ending.stored)
    expect(ending.stored).toBeGreaterThan(0)
    expect(ending.stored).toBeLessThan(LINES)
    expect(await countOf(server, headers)).toBe(ending.stored)

    const probe = await fetch(`${server.url}/readyz`)
    expect(probe.status).toBe(503)
    expect(await probe.json()).toMatchObject({ message: 'The disk of the server is full.' })
    expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(/^quarry_storage_writable\S* 0$/m)
    expect(server.stderr()).toContain('"event":"store.write-failed"')

    disk.empty()
    const readiness = async () => (await fetch(`${server.url}/readyz`)).status
    await expect.poll(readiness).toBe(200)
    const one = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: method(-1),
    })
    expect(one.status).toBe(201)
    expect((await runCli(['check', '--data', data])).stdout).toBe('ok\n')
    expect(await server.stop()).toBe(0)
  })

  it('a server that is to keep more free than there is starts, logs people in, and refuses what needs room', async () => {
    const server = await start({ environment: { QUARRY_FREE_SPACE_MB: '100' } })
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json' }
    const refused = await fetch(`${server.url}/api/2018-10-01/methods`, { method: 'POST', headers, body: method(1) })
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({ status: 'error', code: 50701 })
    expect(await countOf(server, headers)).toBe(0)
    expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({
      message: 'The disk of the server has less room left than it keeps free.',
    })
    expect(server.stderr()).toContain('"event":"store.space-low"')
  })

  it('quarry import ends with what is stored and what to do; the same again goes on where it ended', async () => {
    const quarry = (parameters: readonly string[], options: CliOptions = {}) =>
      runCli([...parameters, '--data', data], { ...UNTIL_FULL, ...options })
    const countOfExport = async () =>
      (await quarry(['export', '--kind', 'methods'])).stdout.trimEnd().split('\n').length
    await quarry(['user', 'create', 'ada', '--password-stdin'], { input: 'correct horse battery' })
    disk.fill(16 * MIB)
    const broken = await quarry(['import', '-', '--user', 'ada'], { input: lines })
    expect(broken.exitCode).toBe(3)
    const stored = Number(/^broken off: (\d+) stored, 0 skipped, 0 refused$/m.exec(broken.stdout)?.[1])
    expect(stored).toBeGreaterThan(0)
    expect(broken.stderr).toMatch(
      /The disk of the server is full; nothing of the write was kept\.\nRoom has to be made/,
    )
    disk.empty()
    // A part of 200 whose end was written when the disk refused the next byte is there, though nobody was told so.
    const kept = await countOfExport()
    expect([stored, stored + 200]).toContain(kept)
    // Of what came behind the part that found no room, some may have been stored.
    const again = await quarry(['import', '-', '--user', 'ada', '--kind', 'methods'], {
      input: linesUpTo(stored + 100),
    })
    expect(again.stderr).toBe('')
    const [, added, skipped] = /^(\d+) stored, (\d+) skipped, 0 refused$/m.exec(again.stdout) ?? []
    expect(Number(added) + Number(skipped)).toBe(stored + 100)
    expect(await countOfExport()).toBe(kept + Number(added))
    expect((await quarry(['check'])).stdout).toBe('ok\n')
  })
})

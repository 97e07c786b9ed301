/**
 * Imports structures in every way that there is, each into a server of its own, and counts in the store what came of them: all are there,
 * and none is without its symmetry.
 *
 *     npx tsx scripts/imports.ts --structures 20000 --seed 1 [--ways bulk,form,archive,cli]
 *
 * Exit code 1: some were refused, are missing, or have no space group. Rates and processor time are told, not judged: `npm run build`
 * before, and let nothing else run. The processor time is that of the server, and of the command that imports beside it.
 */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { zipSync } from 'fflate'
import { noticedHeaders, type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { startCli } from '../test/support/cli.ts'
import { followProcessor } from './imports/processor-time.ts'
import { structureMaker } from './imports/structures.ts'
import { conclude, wholeNumber } from './measured.ts'

const API = '/api/2018-10-01'
const FILES_OF_A_FORM = 2000
const FILES_OF_AN_ARCHIVE = 5000

interface Totals {
  readonly stored: number
  readonly skipped: number
  readonly refused: number
  readonly withoutSymmetry: number
}

interface Target {
  readonly server: ServerProcess
  readonly headers: Record<string, string>
  readonly data: string
  /** Seconds that a command beside the server has had a processor. */
  readonly addSeconds: (seconds: number | null) => void
}

/** Sends all structures; gives what it was told of them. What is sent has been made before. */
type Send = (target: Target) => Promise<Totals>

const { values } = parseArgs({
  options: {
    structures: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    ways: { type: 'string', default: 'bulk,form,archive,cli' },
  },
})
const count = wholeNumber('structures', values.structures)
const { material, poscar } = structureMaker(wholeNumber('seed', values.seed, 0))
const directory = await mkdtemp(join(tmpdir(), 'quarry-imports-'))

/** Each makes what it is going to send, then the way to do so. */
const WAYS: Readonly<Record<string, () => Promise<Send>>> = { bulk, form, archive, cli }

try {
  let isFine = true
  let found = 0
  const ways = values.ways.split(',')
  for (const way of ways) {
    const prepare = WAYS[way]
    if (prepare === undefined) throw new Error(`no way ${way}; there are ${Object.keys(WAYS).join(', ')}`)
    const imported = await measure(way, await prepare())
    isFine &&= imported.isFine
    found += imported.found
  }
  process.exitCode = conclude(isFine, [{ what: 'structures', count: found, least: ways.length * count }])
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function measure(way: string, send: Send): Promise<{ readonly isFine: boolean; readonly found: number }> {
  const data = join(directory, way)
  const server = await startServer(data, ['--no-samples'])
  try {
    let beside: number | null = 0
    const addSeconds = (seconds: number | null): void => {
      beside = beside === null || seconds === null ? null : beside + seconds
    }
    const target = { server, headers: noticedHeaders(server), data, addSeconds }
    const processor = followProcessor(server.pid)
    const began = performance.now()
    const told = await send(target)
    const seconds = (performance.now() - began) / 1000
    const ofServer = processor.seconds()
    processor.end()
    const spent = ofServer === null || beside === null ? null : ofServer + beside
    const found = await countIn(target, {})
    const without = await countIn(target, { spaceGroup: { $exists: false } })
    const perStructure = spent === null ? '' : `, ${((1000 * spent) / count).toFixed(2)} ms of processor time for each`
    process.stdout.write(
      `${way}: ${found} of ${count} there, ${without} without symmetry (told: ${told.stored} stored, ${told.refused} refused, ` +
        `${told.withoutSymmetry} without), ${(count / seconds).toFixed(0)}/s${perStructure}\n`,
    )
    const isFine = found === count && without === 0 && told.stored === count && told.withoutSymmetry === 0
    return { isFine, found }
  } finally {
    await server.stop()
  }
}

async function countIn({ server, headers }: Target, query: object): Promise<number> {
  const response = await fetch(`${server.url}${API}/materials/count`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data } = (await response.json()) as { data: { count: number } }
  return data.count
}

async function bulk(): Promise<Send> {
  const lines = serials().map((serial) => `${JSON.stringify(material(serial))}\n`)
  const body = new Blob(lines)
  return async ({ server, headers }) => {
    const response = await fetch(`${server.url}${API}/materials/bulk`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: body.stream(),
      duplex: 'half',
    } as RequestInit)
    return lastLine(await response.text())
  }
}

async function form(): Promise<Send> {
  return sendForms(
    parts(FILES_OF_A_FORM).map((some) => some.map((serial) => [`${serial}.vasp`, bytesOf(poscar(serial))] as const)),
  )
}

async function archive(): Promise<Send> {
  const archives = parts(FILES_OF_AN_ARCHIVE).map((some) =>
    zipSync(Object.fromEntries(some.map((serial) => [`${serial}.vasp`, bytesOf(poscar(serial))]))),
  )
  return sendForms(archives.map((bytes, index) => [[`${index}.zip`, new Uint8Array(bytes)] as const]))
}

function sendForms(forms: readonly (readonly (readonly [name: string, bytes: Uint8Array<ArrayBuffer>])[])[]): Send {
  return async ({ server, headers }) => {
    let totals: Totals = { stored: 0, skipped: 0, refused: 0, withoutSymmetry: 0 }
    for (const files of forms) {
      const body = new FormData()
      for (const [name, bytes] of files) body.append('files', new Blob([bytes]), name)
      const response = await fetch(`${server.url}${API}/materials/import`, { method: 'POST', headers, body })
      const { data } = (await response.json()) as { data: Totals }
      totals = {
        stored: totals.stored + data.stored,
        skipped: totals.skipped + data.skipped,
        refused: totals.refused + data.refused,
        withoutSymmetry: totals.withoutSymmetry + data.withoutSymmetry,
      }
    }
    return totals
  }
}

async function cli(): Promise<Send> {
  const file = join(directory, 'materials.ndjson')
  await writeFile(
    file,
    serials()
      .map((serial) => `${JSON.stringify(material(serial))}\n`)
      .join(''),
  )
  return async ({ data, addSeconds }) => {
    const command = startCli(['import', file, '--user', 'admin', '--data', data, '--json'])
    const processor = followProcessor(command.pid as number)
    command.stdin.end()
    const output: Buffer[] = []
    const faults: Buffer[] = []
    command.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    command.stderr.on('data', (chunk: Buffer) => faults.push(chunk))
    const [code] = await once(command, 'close')
    addSeconds(processor.seconds())
    processor.end()
    if (code !== 0) process.stdout.write(`quarry import ended with ${code}: ${Buffer.concat(faults)}\n`)
    return lastLine(Buffer.concat(output).toString())
  }
}

function lastLine(text: string): Totals {
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
}

function serials(): readonly number[] {
  return Array.from({ length: count }, (_, serial) => serial)
}

function parts(size: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, part) => serials().slice(part * size, (part + 1) * size))
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/**
 * Measures what one hostile user does to another. Starts a server on a new data directory, fills it, times the light requests of one user
 * while nothing else goes on, and again while another user does each of the attacks of `hostile/attacks.ts` without pause.
 *
 *     npx tsx scripts/hostile.ts --seconds 15 --only R1,R5
 *
 * Attacks are made by a process of the lowest priority: on one machine with the server, its own need of processors is not to be what is
 * measured. Exit code 1: a target was missed. Times need a machine that does nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { type Attacker, startAttacker } from './hostile/attacker.ts'
import { ATTACKS } from './hostile/attacks.ts'
import { fill } from './hostile/fill.ts'
import { LightReader, type Times } from './hostile/light-reader.ts'
import { createToken, createUser } from './hostile/users.ts'
import { type Load, watchServer } from './hostile/watch-server.ts'
import { type Measured as Counted, conclude, wholeNumber } from './measured.ts'

/** What must hold while an attack goes on. */
const TARGETS = { p99Ms: 25, timesIdle: 3, memoryMib: 300, logMib: 64 } as const
/** How long the server has to calm down between two attacks, at most. */
const REST_MS = 60_000
/** Of fewer requests, one in a hundred is none. */
const LEAST_READS = 100

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    materials: { type: 'string', default: '20000' },
  },
})
const seconds = wholeNumber('seconds', values.seconds)
const materials = wholeNumber('materials', values.materials)
const wanted = values.only?.split(',')
const attacks = ATTACKS.filter(({ name }) => wanted === undefined || wanted.some((prefix) => name.startsWith(prefix)))
if (attacks.length === 0) {
  console.error(`Attacks are ${ATTACKS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const directory = await mkdtemp(join(tmpdir(), 'quarry-hostile-'))
const data = join(directory, 'data')
try {
  process.exitCode = await run()
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function run(): Promise<0 | 1> {
  await createUser(data, 'alice')
  await createUser(data, 'mallory')
  const headers = await createToken(data, 'alice')
  const hostile = {
    headers: await createToken(data, 'mallory'),
    readOnly: await createToken(data, 'mallory', ['--read-only']),
  }
  const server = await startServer(data, ['--no-samples'])
  let attacker: Attacker | null = null
  try {
    const ids = await fill(server.url, headers, materials)
    const reader = new LightReader(server.url, headers, ids)
    await measure(server, reader, 5)
    const idle = await measure(server, reader, seconds)
    printHead()
    printRow('idle', idle, [])
    let isFine = true
    const counted: Counted[] = [readsOf('idle', idle)]
    for (const attack of attacks) {
      attacker = await startAttacker(attack, { url: server.url, ...hostile })
      const measured = await measure(server, reader, seconds)
      const made = await attacker.stop()
      const misses = missesOf(measured, idle)
      printRow(attack.name, measured, misses, `${attack.title}; ${made.text}`)
      counted.push(readsOf(attack.name, measured), {
        what: `connections of ${attack.name}`,
        count: made.connections,
        least: 1,
      })
      isFine &&= misses.length === 0
      await calm(server, idle)
    }
    reader.close()
    return conclude(isFine, counted)
  } finally {
    await attacker?.stop()
    await server.stop()
  }
}

interface Measured {
  readonly times: Times
  readonly load: Load
}

function readsOf(name: string, { times }: Measured): Counted {
  return { what: `requests beside ${name}`, count: times.reads, least: LEAST_READS }
}

async function measure(server: ServerProcess, reader: LightReader, length: number): Promise<Measured> {
  const watch = await watchServer(server, data)
  const times = await reader.read(length * 1000)
  return { times, load: await watch.end() }
}

/** Waits until the server has let go of what the attack made it hold, as far as it does. */
async function calm(server: ServerProcess, idle: Measured): Promise<void> {
  const end = Date.now() + REST_MS
  for (;;) {
    const watch = await watchServer(server, data)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const { processors } = await watch.end()
    if (processors < idle.load.processors + 0.1 || Date.now() > end) return
  }
}

function missesOf({ times, load }: Measured, idle: Measured): string[] {
  const { p99Ms, timesIdle, memoryMib, logMib } = TARGETS
  const memory = load.memoryMib - idle.load.memoryMib
  const log = load.logMib - idle.load.logMib
  return [
    ...(times.p99 <= p99Ms ? [] : [`p99 above ${p99Ms} ms`]),
    ...(times.p99 <= timesIdle * idle.times.p99 ? [] : [`p99 ${(times.p99 / idle.times.p99).toFixed(1)} x idle`]),
    ...(memory <= memoryMib ? [] : [`memory +${Math.round(memory)} MiB`]),
    ...(log <= logMib ? [] : [`log +${Math.round(log)} MiB`]),
    ...(times.failed === 0 ? [] : [`${times.failed} requests failed`]),
  ]
}

function printHead(): void {
  console.log('times in ms of the other user; delay: of the event loop; log: write-ahead log; cpu: processors busy\n')
  console.log('attack        p50     p99     max  delay p99  delay max   cpu  MiB mem  MiB log')
}

function printRow(name: string, { times, load }: Measured, misses: readonly string[], title = ''): void {
  const cells = [
    name.padEnd(10),
    times.p50.toFixed(2).padStart(6),
    times.p99.toFixed(2).padStart(7),
    times.max.toFixed(1).padStart(7),
    load.delayP99.toFixed(1).padStart(10),
    load.delayMax.toFixed(1).padStart(10),
    load.processors.toFixed(2).padStart(5),
    load.memoryMib.toFixed(0).padStart(8),
    load.logMib.toFixed(0).padStart(8),
  ]
  console.log(`${cells.join(' ')}  ${misses.length === 0 ? 'ok' : `MISSED: ${misses.join(', ')}`}`)
  if (title !== '') console.log(`           ${title}`)
}

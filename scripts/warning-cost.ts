import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { logIn } from '../src/accounts/sessions.ts'
import { createUser } from '../src/accounts/users.ts'
import { compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config.ts'
import { loadSamples } from '../src/records/samples/load-samples.ts'
import { conclude, type Measured, wholeNumber } from './measured.ts'

// Measures what warnings cost a list, in processor time of the server: tsx scripts/warning-cost.ts --pairs 15 --lists 2000
// One server answers the same lists twice, once with a store that knows nothing of its fields, so that nothing can be warned of.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '15' }, lists: { type: 'string', default: '2000' } },
})
const LOGIN = { login: 'ada', password: 'warnings cost a little', address: '127.0.0.1' }

const LISTS = '/api/2018-10-01/materials?limit=10'
/** Pairs that are not counted. */
const WARMING = 2
/** What a list asks for: the number makes it another one each time. */
const SHAPES: readonly (readonly [string, (n: number) => object])[] = [
  ['one condition', (n) => ({ 'lattice.a': { $gt: 3 + n * 1e-7 } })],
  [
    'five conditions',
    (n) => ({
      formula: { $in: ['Si', 'NaCl'] },
      nSites: { $gte: 1, $lt: 9 + n * 1e-7 },
      tags: 'sample',
      'lattice.type': 'FCC',
    }),
  ],
  ['nothing found', (n) => ({ name: `none ${n}`, nSites: 2 })],
]

if (positionals[0] === 'server') await serve()
else
  process.exitCode = conclude(
    true,
    await measure(wholeNumber('pairs', values.pairs), wholeNumber('lists', values.lists)),
  )

async function serve(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'quarry-cost-'))
  const config = readConfig({ data, passwordMemoryKib: '1024', passwordPasses: '1', symmetry: 'off' }, {}, null)
  const { server, services, close } = await compose(config)
  await loadSamples(services.records)
  const { store } = services.records
  const knowledge = store.askKnowledge.bind(store)
  await createUser(services.accounts, { name: 'ada', email: 'ada@example.org', password: LOGIN.password })
  const { accountId, token } = await logIn(services.accounts, LOGIN)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  process.on('message', (mode) => {
    const ignorant: typeof knowledge = async (_collection, _scope, find) => find(null)
    const value = mode === 'knowing' ? knowledge : ignorant
    if (mode !== 'usage') Object.defineProperty(store, 'askKnowledge', { value, configurable: true })
    process.send?.({ microseconds: sum(process.cpuUsage()) })
  })
  process.on('disconnect', async () => {
    await close()
    await rm(data, { recursive: true, force: true })
    process.exit(0)
  })
  process.send?.({ port, headers: { 'x-account-id': accountId, 'x-auth-token': token } })
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}

interface Running {
  readonly child: ChildProcess
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
}

async function start(): Promise<Running> {
  const child = fork(import.meta.filename, ['server'])
  const [ready] = await once(child, 'message')
  return { child, ...ready }
}

async function measure(pairs: number, lists: number): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  const server = await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  for (const [name, shape] of SHAPES) {
    for (const isRepeated of [false, true]) {
      const ratios: number[] = []
      for (let pair = 0; pair < pairs + WARMING; pair++) {
        // What one turn asks is new to the other as well: a page that was found is found faster again.
        const targetsOf = (turn: number): readonly string[] =>
          Array.from({ length: lists }, (_, n) => {
            const query = shape(isRepeated ? -turn : (2 * pair + turn) * lists + n)
            return `${LISTS}&query=${encodeURIComponent(JSON.stringify(query))}`
          })
        const ratio = await ratioOf(server, targetsOf, { agent, knowingFirst: pair % 2 === 0 })
        if (pair >= WARMING) ratios.push(ratio)
      }
      const what = `${name}, ${isRepeated ? 'repeated' : 'uncached'}`
      console.log(`${what}: ${describe(ratios)}`)
      // A ratio of nothing to nothing is no number.
      measured.push({ what: `pairs of ${what}`, count: ratios.filter(Number.isFinite).length, least: pairs })
    }
  }
  agent.destroy()
  server.child.disconnect()
  return measured
}

interface Turn {
  readonly agent: Agent
  readonly knowingFirst: boolean
}

/** The cost with warnings over that without. */
async function ratioOf(
  server: Running,
  targetsOf: (turn: number) => readonly string[],
  { agent, knowingFirst }: Turn,
): Promise<number> {
  const modes = knowingFirst ? (['knowing', 'ignorant'] as const) : (['ignorant', 'knowing'] as const)
  const costs = { knowing: 0, ignorant: 0 }
  for (const [turn, mode] of modes.entries()) {
    await tell(server, mode)
    costs[mode] = await costOf(server, targetsOf(turn), agent)
  }
  return costs.knowing / costs.ignorant
}

function describe(ratios: readonly number[]): string {
  const sorted = [...ratios].sort((one, other) => one - other)
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(3)
  return `${at(0.5)} (quartiles ${at(0.25)} to ${at(0.75)})`
}

/** Processor time of a server for some lists, in microseconds. */
async function costOf(running: Running, targets: readonly string[], agent: Agent): Promise<number> {
  const before = await tell(running, 'usage')
  for (let at = 0; at < targets.length; at += 4) {
    await Promise.all(
      targets.slice(at, at + 4).map((path) => ask({ port: running.port, headers: running.headers, path, agent })),
    )
  }
  return (await tell(running, 'usage')) - before
}

/** Has the server warn or not, and tells the processor time that it has had, in microseconds. */
async function tell({ child }: Running, what: 'knowing' | 'ignorant' | 'usage'): Promise<number> {
  child.send(what)
  const [{ microseconds }] = await once(child, 'message')
  return microseconds
}

function ask(options: RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, host: '127.0.0.1' }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`))
      response.resume().on('end', resolve)
    })
    sent.on('error', reject).end()
  })
}

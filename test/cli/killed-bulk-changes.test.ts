import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { Victims } from '../../scripts/kill9/victims.ts'
import { vasprunText } from '../calculations/vasprun-text.ts'
import { runCli } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'
import { noticedHeaders, type ServerProcess, stopServers } from './server-process.ts'

/** Methods of one change, in three portions. */
const MANY = 1_100
/** Calculations of one import, a portion each. */
const RUNS = 12
/** Statements of a portion of changes, and of some of an import. */
const COMMITTING = { within: 'apply-change', most: 500 }

const rounds = triesOf('killedBulkChanges')
const random = createRandom(rounds)
const victims = new Victims(random)
let server: ServerProcess
let headers: Record<string, string>
beforeAll(async () => {
  server = await victims.start()
  headers = noticedHeaders(server)
})
afterEach(async () => {
  if (process.env['STUDIES'] !== undefined) console.log({ rounds, died: victims.died })
  expect(victims.died).toBeGreaterThan(0)
  victims.died = 0
})
afterAll(async () => {
  await stopServers()
  victims.remove()
})

interface Entry {
  readonly _id: string
  readonly state: string
  readonly count: number
  readonly unchanged: number
  readonly refused: number
}

async function ask<T>(method: string, path: string, body?: object | string): Promise<T> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const response = await fetch(`${server.url}/api/2018-10-01/${path}`, {
    method,
    headers: { ...headers, 'content-type': type, prefer: 'respond-async' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { readonly data: T; readonly message?: string }
  if (!response.ok) throw new Error(answer.message)
  return answer.data
}

/** Kills the server while a task is carried out, and waits until another has ended it. */
async function endedAfterKill({ _id }: Entry): Promise<Entry> {
  const read = () => ask<Entry>('GET', `bulk-changes/${_id}`)
  await victims.kill(server, untilOver(read), COMMITTING)
  await victims.forgetTurn('bulk-changes')
  server = await victims.start()
  await expect.poll(async () => (await read()).state).toBe('done')
  return read()
}

/** Resolves once it has ended, or the server has. */
async function untilOver(read: () => Promise<Entry>): Promise<void> {
  const isUnderWay = () =>
    read().then(
      ({ state }) => state === 'waiting' || state === 'running',
      () => false,
    )
  while (await isUnderWay());
}

it('a change of many records, and its undo, go on where a killed server was: each record is changed once, and none is left', async () => {
  const lines = Array.from({ length: MANY }, (_, index) =>
    JSON.stringify({ type: 'pseudopotential', subtype: 'us', name: `m${index}`, runs: 0 }),
  )
  const sent = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  }
  await (await fetch(`${server.url}/api/2018-10-01/methods/bulk`, sent)).text()
  const ofRuns = async (runs: number) =>
    (await ask<{ count: number }>('POST', 'methods/count', { query: { runs } })).count

  for (let round = 0; round < rounds; round++) {
    const query = { runs: 0 }
    const body = { query, change: { $inc: { runs: 1 } }, expectedCount: MANY }
    const done = await endedAfterKill(await ask<Entry>('PATCH', 'methods', body))
    expect([done.count, done.refused, await ofRuns(1)], `round ${round}`).toEqual([MANY, 0, MANY])
    const undone = await endedAfterKill(await ask<Entry>('POST', `bulk-changes/${done._id}/undo`))
    expect([undone.count, undone.refused, await ofRuns(0)], `round ${round}`).toEqual([MANY, 0, MANY])
  }
})

it('an import that was handed over goes on where a killed server was: each calculation is stored once, with all that it says', async () => {
  for (let round = 0; round < rounds; round++) {
    const portions = await Promise.all(Array.from({ length: RUNS }, (_, at) => portionOf(round * RUNS + at)))
    const begun = await ask<Entry>('POST', 'jobs/imports', portions.map((one) => JSON.stringify(one)).join('\n'))
    const { count, unchanged, refused } = await endedAfterKill(begun)
    expect({ count, unchanged, refused }, `round ${round}`).toEqual({ count: RUNS, unchanged: 0, refused: 0 })
  }
  const runs = RUNS * rounds
  expect((await ask<{ count: number }>('POST', 'jobs/count', { query: {} })).count).toBe(runs)
  // Two structures, before and after, of all.
  expect((await ask<{ count: number }>('POST', 'materials/count', { query: {} })).count).toBe(2)
  const ofOne = { query: { 'data.name': 'total_energy' } }
  expect((await ask<{ count: number }>('POST', 'properties/count', ofOne)).count).toBe(runs)
  await server.stop()
  expect(await runCli(['check', '--data', victims.data])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
})

/** Sends an output like no other, and asks which job it is. */
async function portionOf(at: number): Promise<object> {
  const name = `run${at}/vasprun.xml`
  const text = vasprunText({ incar: `<i name="ENCUT"> ${500 + at}.0</i>` })
  const { ticket } = await ask<{ ticket: string }>('PUT', `uploads/${encodeURIComponent(name)}`, text)
  const files = [{ name, ticket }]
  const found = await ask<{ calculations: readonly { jobId: string }[] }>('POST', 'jobs/import', {
    files,
    dryRun: true,
  })
  return { files, only: found.calculations.map(({ jobId }) => jobId) }
}

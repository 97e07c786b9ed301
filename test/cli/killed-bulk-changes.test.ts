import { afterAll, expect, it } from 'vitest'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { Victims } from '../../scripts/kill9/victims.ts'
import { runCli } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'
import { noticedHeaders, type ServerProcess, stopServers } from './server-process.ts'

/** Methods of one change, in three portions. */
const MANY = 1_100
/** Statements of a portion. */
const COMMITTING = { within: 'apply-change', most: 500 }

const rounds = triesOf('killedBulkChanges')
const random = createRandom(rounds)
const victims = new Victims(random)
afterAll(async () => {
  await stopServers()
  victims.remove()
})

interface Entry {
  readonly _id: string
  readonly state: string
  readonly count: number
  readonly refused: number
}

async function ask<T>(server: ServerProcess, headers: Record<string, string>, [method, path, body]: Asked): Promise<T> {
  const response = await fetch(`${server.url}/api/2018-10-01/${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json', prefer: 'respond-async' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { readonly data: T; readonly message?: string }
  if (!response.ok) throw new Error(answer.message)
  return answer.data
}

type Asked = readonly [method: string, path: string, body?: object]

it('a change of many records, and its undo, go on where a killed server was: each record is changed once, and none is left', async () => {
  let server = await victims.start()
  const headers = noticedHeaders(server)
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
    (await ask<{ count: number }>(server, headers, ['POST', 'methods/count', { query: { runs } }])).count

  /** Begins something, kills the server while it is carried out, and waits until another has ended it. */
  async function endAfterKill(asked: Asked): Promise<Entry> {
    const { _id } = await ask<Entry>(server, headers, asked)
    const read = () => ask<Entry>(server, headers, ['GET', `bulk-changes/${_id}`])
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

  for (let round = 0; round < rounds; round++) {
    const query = { runs: 0 }
    const body = { query, change: { $inc: { runs: 1 } }, expectedCount: MANY }
    const done = await endAfterKill(['PATCH', 'methods', body])
    expect([done.count, done.refused, await ofRuns(1)], `round ${round}`).toEqual([MANY, 0, MANY])
    const undone = await endAfterKill(['POST', `bulk-changes/${done._id}/undo`])
    expect([undone.count, undone.refused, await ofRuns(0)], `round ${round}`).toEqual([MANY, 0, MANY])
  }
  await server.stop()
  expect(await runCli(['check', '--data', victims.data])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
  if (process.env['STUDIES'] !== undefined) console.log({ rounds, died: victims.died })
  expect(victims.died).toBeGreaterThan(0)
})

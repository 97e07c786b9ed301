import { afterAll, expect, it } from 'vitest'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { FileClients, fileDifferences, toldOfFiles } from '../../scripts/kill9/file-clients.ts'
import { Victims } from '../../scripts/kill9/victims.ts'
import { runCli } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'
import { noticedHeaders, stopServers } from './server-process.ts'

const TAKING = { within: 'intake-thread', most: 120 }
const COMMITTING = { within: 'apply-change', most: 120 }

const rounds = triesOf('killedFiles')
const random = createRandom(rounds)
const victims = new Victims(random)
afterAll(async () => {
  await stopServers()
  victims.remove()
})

it('files that are put while a server is killed are whole or not there, and gone on with; of what was acknowledged nothing is lost', async () => {
  const check = () => runCli(['check', '--data', victims.data])
  let server = await victims.start()
  const told = toldOfFiles(noticedHeaders(server))
  for (let round = 0; round < rounds; round++) {
    const served = new FileClients(server.url, told, random).run()
    await victims.kill(server, served, random.chance(0.6) ? TAKING : COMMITTING)
    server = await victims.start()
    expect(await fileDifferences(server.url, told), `round ${round}`).toEqual([])
    expect(await check(), `round ${round}`).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
  }
  await server.stop()
  const { left, named } = await victims.collect()
  expect(left).toEqual(named)
  expect(await check()).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
  if (process.env['STUDIES'] !== undefined) console.log({ rounds, died: victims.died, ...told.counts })
  expect([victims.died > 0, told.counts.stored > 0]).toEqual([true, true])
})

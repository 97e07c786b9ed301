import { afterAll, expect, it } from 'vitest'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { Energies } from '../../scripts/kill9/energies.ts'
import { Victims } from '../../scripts/kill9/victims.ts'
import { runCli } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'
import { noticedHeaders, stopServers } from './server-process.ts'

const SETTLING = { within: 'apply-change', most: 60 }

const rounds = triesOf('killedHulls')
const random = createRandom(rounds)
const victims = new Victims(random)
afterAll(async () => {
  await stopServers()
  victims.remove()
})

it('all energies above the hull follow from the energies that there are, after a server was killed while it wrote them', async () => {
  let server = await victims.start()
  const headers = noticedHeaders(server)
  await new Energies(server.url, headers, random).addElements()
  for (let round = 0; round < rounds; round++) {
    await new Energies(server.url, headers, random).change(6)
    await victims.kill(server, null, SETTLING)
    await victims.forgetTurn('hulls')
    server = await victims.start()
    const energies = new Energies(server.url, headers, random)
    await expect.poll(() => energies.differences(), { message: `round ${round}` }).toEqual([])
  }
  await server.stop()
  expect(await runCli(['check', '--data', victims.data])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
  if (process.env['STUDIES'] !== undefined) console.log({ rounds, died: victims.died })
  expect(victims.died).toBeGreaterThan(0)
})

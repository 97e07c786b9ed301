import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../scripts/fuzz/random.ts'
import { dyingBy } from '../../scripts/kill9/dying.ts'
import { FileClients, fileDifferences, toldOfFiles } from '../../scripts/kill9/file-clients.ts'
import { filesFolder } from '../../src/app/open-services.ts'
import { collectFiles } from '../../src/records/use-cases/collect-files.ts'
import { DirectoryFiles } from '../../src/store/files/directory-files.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'
import { noticedHeaders, type ServerProcess, startServer, stopServers } from './server-process.ts'

/** Calls of a thread that takes files, after any of which it may die. */
const MOST_CALLS = 120
const MOST_WAIT_MS = 2_000

const directory = newDataDirectory()
const { data } = directory
const order = `${data}-order`
afterAll(async () => {
  await stopServers()
  directory.remove()
})

/** A server that dies by itself where it is told to. */
function start(): Promise<ServerProcess> {
  return startServer(data, ['--no-samples'], { environment: { QUARRY_SYMMETRY: 'off', ...dyingBy(order) } })
}

/** Kills a server at a moment that is chosen: within what it does, or from outside some time later. */
async function kill(
  server: ServerProcess,
  served: Promise<void>,
  random: Random,
  within: readonly string[],
): Promise<boolean> {
  const isFromOutside = random.chance(0.3)
  const file = random.pick(within)
  if (!isFromOutside)
    writeFileSync(order, JSON.stringify({ within: file, at: 1 + random.integer(MOST_CALLS), further: 0 }))
  await Promise.race([served, server.ended, delay(isFromOutside ? random.integer(MOST_WAIT_MS) : 60_000)])
  await server.stop('SIGKILL')
  await served
  const died = existsSync(`${order}.died`)
  for (const one of [order, `${order}.died`]) rmSync(one, { force: true })
  return died
}

/** Names of all contents, and of the uploads that have not become one. */
function contentsIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
}

/** Removes what nothing names, however new it is, and gives what is left. */
async function collected(): Promise<{ readonly left: readonly string[]; readonly named: readonly string[] }> {
  const folder = filesFolder({ data })
  const [files, store] = [new DirectoryFiles(folder), await openSqliteStore({ dataDirectory: data, tends: false })]
  try {
    await collectFiles(
      { files, store: store.records },
      { graceMs: 0, mayRemove: async () => true, pause: async () => {} },
    )
    const left = contentsIn(folder)
    return { left, named: [...(await store.records.namedFiles(left))].sort() }
  } finally {
    await files.close()
    await store.close()
  }
}

describe('files that are put while a server is killed', () => {
  it('are whole or not there, and gone on with; of what was acknowledged nothing is lost', async () => {
    const random = createRandom(triesOf('killedFiles'))
    let server = await start()
    const told = toldOfFiles(noticedHeaders(server))
    let diedWithin = 0
    for (let round = 0; round < triesOf('killedFiles'); round++) {
      const served = new FileClients(server.url, told, random).run()
      if (await kill(server, served, random, ['intake-thread', 'intake-thread', 'apply-change'])) diedWithin += 1
      server = await start()
      expect(await fileDifferences(server.url, told), `round ${round}`).toEqual([])
      expect(await runCli(['check', '--data', data]), `round ${round}`).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    }
    await server.stop()
    const { left, named } = await collected()
    expect(left).toEqual(named)
    expect(await runCli(['check', '--data', data])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    if (process.env['STUDIES'] !== undefined) console.log({ ...told.counts, diedWithin })
    expect([diedWithin > 0, told.counts.stored > 0]).toEqual([true, true])
  })
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { startServer } from '../cli/server-process.ts'
import { newDataDirectory, runCli, startCli } from '../support/cli.ts'
import { accountScope, insertion } from '../support/plans.ts'

/** How much each thread of a process steps back, by its number: the 19th field of its line. */
function niceness(process = 'self'): ReadonlyMap<string, number> {
  const threads = readdirSync(`/proc/${process}/task`)
  const statOf = (thread: string) =>
    readFileSync(`/proc/${process}/task/${thread}/stat`, 'utf8').split(') ').at(-1) ?? ''
  return new Map(threads.map((thread) => [thread, Number(statOf(thread).split(' ')[16])]))
}

it.runIf(process.platform === 'linux')(
  'threads that write and read step back behind the one that answers',
  async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-step-back-'))
    const before = niceness()
    const store = await openSqliteStore({ dataDirectory, tends: false })
    try {
      await store.records.apply([insertion('c', 'a', { name: 'a'.repeat(300_000) }, { accountId: 'alice' })])
      // More than is read on the thread that asks.
      expect(await store.records.read('c', accountScope('alice'), 'a')).not.toBeNull()
      const after = niceness()
      const begun = [...after].filter(([thread]) => !before.has(thread)).map(([, steps]) => steps)
      expect(begun.filter((steps) => steps === 2)).toHaveLength(2)
      expect(after.get(String(process.pid))).toBe(before.get(String(process.pid)))
    } finally {
      await store.close()
      rmSync(dataDirectory, { recursive: true })
    }
  },
)

it.runIf(process.platform === 'linux')('the threads of V8 step back behind it, too', async () => {
  const data = mkdtempSync(join(tmpdir(), 'quarry-step-back-'))
  const server = await startServer(data, ['--no-samples'])
  try {
    const threads = niceness(String(server.pid))
    const own = threads.get(String(server.pid))
    // The first that a process has are its own, and those of V8: four that work and one that waits.
    const first = [...threads].sort(([a], [b]) => Number(a) - Number(b)).slice(1, 6)
    expect(first.map(([, steps]) => steps)).toEqual(first.map(() => 2))
    expect(own).toBe(niceness().get(String(process.pid)))
  } finally {
    await server.stop()
    rmSync(data, { recursive: true })
  }
})

it.runIf(process.platform === 'linux')('a thread of a process that has stepped back further stays where it is', () => {
  const stepBack = new URL('../../src/kernel/step-back.ts', import.meta.url).href
  const script = `
    const { getPriority, setPriority } = await import('node:os')
    const { stepBack } = await import('${stepBack}')
    setPriority(10)
    stepBack('store')
    console.log(getPriority())`
  const parameters = ['--import', 'tsx', '--input-type=module', '--eval', script]
  expect(execFileSync(process.execPath, parameters, { encoding: 'utf8' })).toBe('10\n')
})

it.runIf(process.platform === 'linux')('an import lets all other processes come first', async () => {
  const { data, remove } = newDataDirectory()
  await runCli(['user', 'create', 'ada', '--password-stdin', '--data', data], { input: 'a good password of ada\n' })
  const running = startCli(['import', '-', '--kind', 'methods', '--user', 'ada', '--data', data])
  const ended = new Promise((resolve) => running.once('close', resolve))
  try {
    await expect.poll(() => niceness(String(running.pid)).get(String(running.pid))).toBe(10)
  } finally {
    running.stdin.end()
    await ended
    remove()
  }
})

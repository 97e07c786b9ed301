import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { Victims } from '../../scripts/kill9/victims.ts'
import { firstStep, lastStep, vasprunText } from '../calculations/vasprun-text.ts'
import { runCli, startCli } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'

/** That come with each try. */
const RUNS = 2
const FILES = 3
const TAKING = { within: 'intake-thread', most: 30 }
const COMMITTING = { within: 'apply-change', most: 120 }

const tries = triesOf('killedImports')
const random = createRandom(tries)
const victims = new Victims(random)
const folder = `${victims.data}-runs`
const given = ['import', folder, '--user', 'ada', '--json', '--no-symmetry', '--data', victims.data]
afterAll(victims.remove)

interface Job {
  readonly _id: string
  readonly _material: { readonly _id: string }
  readonly _method: { readonly _id: string }
  readonly files: readonly unknown[]
}

interface Property {
  readonly exabyteId: readonly string[]
  readonly source: { readonly info: { readonly jobId: string } }
}

function makeRun(at: number): void {
  const run = join(folder, `run${at}`)
  mkdirSync(run, { recursive: true })
  const steps = firstStep + lastStep().replaceAll('-10.45', `-10.4${100 + at}`)
  writeFileSync(join(run, 'vasprun.xml'), vasprunText({ steps }))
  writeFileSync(join(run, 'INCAR'), 'ENCUT = 520')
  writeFileSync(join(run, 'OSZICAR.bin'), random.bytes(50_000))
}

async function all<T>(kind: string): Promise<readonly T[]> {
  const { stdout } = await runCli(['export', '--kind', kind, '--data', victims.data])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
}

/** Each job is there with all that its run has become, or nothing of the run is; gives the number of jobs. */
async function wholeJobs(): Promise<number> {
  const jobs = await all<Job>('jobs')
  const [properties, materials] = [await all<Property>('properties'), await all<{ _id: string }>('materials')]
  const ids = new Set([...materials, ...(await all<{ _id: string }>('methods'))].map(({ _id }) => _id))
  const counts = jobs.map(({ _id }) => properties.filter(({ source }) => source.info.jobId === _id).length)
  expect(new Set(counts).size).toBeLessThanOrEqual(1)
  expect(properties).toHaveLength(counts.reduce((sum, count) => sum + count, 0))
  expect(properties.every(({ exabyteId }) => ids.has(exabyteId[0] ?? ''))).toBe(true)
  for (const { _material, _method, files } of jobs)
    expect([ids.has(_material._id), ids.has(_method._id), files.length]).toEqual([true, true, FILES])
  // All runs begin and end with the same two materials, and have one method.
  expect(ids.size).toBe(jobs.length === 0 ? 0 : 3)
  return jobs.length
}

it('an import of calculations that is killed is run again: nothing is lost or there twice, and nothing stays that no record names', async () => {
  const totals = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}')
  await runCli(['user', 'create', 'ada', '--password-stdin', '--data', victims.data], {
    input: 'correct horse battery',
  })
  let there = 0
  for (let at = 0; at < tries; at++) {
    for (let run = RUNS * at; run < RUNS * (at + 1); run++) makeRun(run)
    victims.tellWhereToDie(random.chance(0.5) ? TAKING : COMMITTING)
    const child = startCli(given, { environment: victims.environment })
    const stored: string[] = []
    child.stdout.on('data', (text: Buffer) => stored.push(...(String(text).match(/"outcome":"stored"/g) ?? [])))
    await once(child, 'close')
    victims.countDead()
    const check = await runCli(['check', '--data', victims.data])
    expect(check, `try ${at}`).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    const now = await wholeJobs()
    expect(now).toBeGreaterThanOrEqual(there + stored.length)
    there = now
  }
  const last = await runCli(given)
  expect(totals(last.stdout)).toEqual({ calculations: { stored: RUNS * tries - there, skipped: there, refused: 0 } })
  expect(await wholeJobs()).toBe(RUNS * tries)
  expect(totals((await runCli(given)).stdout).calculations).toEqual({ stored: 0, skipped: RUNS * tries, refused: 0 })
  const { left, named } = await victims.collect()
  expect(left).toEqual(named)
  if (process.env['STUDIES'] !== undefined) console.log({ tries, died: victims.died, there })
  expect(victims.died).toBeGreaterThan(0)
})

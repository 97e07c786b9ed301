/**
 * Makes mistakes on purpose, one at a time, in a copy of the project, and runs the tests that have to notice: a mutant dies when one of
 * them fails. What survives is a test that is missing.
 *
 *     npm run mutants
 *     npm run mutants -- --only 'sealing does not' --verbose
 *     npm run mutants -- --changed main
 *     npm run mutants -- --list
 *
 * `--only` takes any part of what `--list` shows. `--changed` takes those near a change: since the commit that is named, else since the branch that this one
 * follows, else since the last commit but one; what is not committed belongs to it. Exit code 1: a mutant has survived, or is stale: the code that it changes is not there any more.
 */
import { parseArgs } from 'node:util'
import { ROOT, seconds } from './command.mjs'
import { MUTANTS } from './mutants/all-mutants.ts'
import { type Mutant, mutate } from './mutants/mutant.ts'
import { mutantsNear, readChange } from './mutants/near-change.ts'
import { type TestRun, TestRunner } from './mutants/run-tests.ts'
import { ProjectCopy } from './project-copy.ts'

const {
  values,
  positionals: [commit],
} = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    changed: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '300' },
    verbose: { type: 'boolean', default: false },
  },
})
const titleOf = ({ name, file }: Mutant): string => `${file}: ${name}`
const near = values.changed ? mutantsNear(MUTANTS, readChange(ROOT, commit)) : MUTANTS
const chosen = near.filter((mutant) => titleOf(mutant).includes(values.only))

const say = (line: string): void => void process.stdout.write(`${line}\n`)

if (commit !== undefined && !values.changed)
  throw new Error(`"${commit}" stands alone. Write --changed ${commit}, or --only '${commit}'.`)
if (values.list) for (const mutant of chosen) say(titleOf(mutant))
else process.exitCode = (await runAll()) ? 0 : 1

async function runAll(): Promise<boolean> {
  if (chosen.length === 0) {
    say(values.changed ? 'no mutant is near what has changed' : `no mutant has "${values.only}" in its file and name`)
    return values.changed
  }
  const copy = new ProjectCopy(ROOT)
  const runner = new TestRunner(copy.directory, Number(values.seconds) * 1000)
  const interrupt = (): void => {
    runner.end()
    copy.remove()
    process.exit(130)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    return await breakAll(copy, runner)
  } finally {
    copy.remove()
  }
}

async function breakAll(copy: ProjectCopy, runner: TestRunner): Promise<boolean> {
  const left: string[] = []
  const unbroken = new Map<string, TestRun>()
  for (const [at, mutant] of chosen.entries()) {
    const began = performance.now()
    const asItIs = await passes(mutant, unbroken, runner)
    const run = asItIs.kind === 'passed' ? await broken(copy, mutant, () => runner.run(mutant)) : asItIs
    const { isDead, told } = asItIs.kind === 'passed' ? verdict(mutant, run) : { isDead: false, told: fails(asItIs) }
    say(`${at + 1}/${chosen.length} ${mutant.name}: ${told} (${since(began)})`)
    if (values.verbose && run?.kind === 'failed') say(run.message.split('\n').slice(0, 12).join('\n'))
    if (!isDead) left.push(`${titleOf(mutant)}: ${told}`)
  }
  say(`${chosen.length - left.length} killed, ${left.length} left`)
  for (const line of left) say(`  ${line}`)
  return left.length === 0
}

/** Does something while the mistake is made; null for a mutant that is stale. */
async function broken<Result>(copy: ProjectCopy, mutant: Mutant, work: () => Promise<Result>): Promise<Result | null> {
  const wrong = mutate(copy.read(mutant.file), mutant)
  return wrong === null ? null : copy.changed(mutant.file, wrong, work)
}

/** Tests that fail anyway would kill everything: they are run once without a mistake. */
async function passes(mutant: Mutant, known: Map<string, TestRun>, runner: TestRunner): Promise<TestRun> {
  const key = JSON.stringify([mutant.tests, mutant.named, mutant.project])
  const run = known.get(key) ?? (await runner.run(mutant))
  known.set(key, run)
  return run
}

function fails(run: TestRun): string {
  return `NOT TRIED: without the mistake, its tests are ${tell(run)}`
}

function verdict({ file }: Mutant, run: TestRun | null): { readonly isDead: boolean; readonly told: string } {
  if (run === null) return { isDead: false, told: `STALE: what it changes is not once in ${file}` }
  if (run.kind === 'passed') return { isDead: false, told: 'SURVIVED' }
  return { isDead: run.kind !== 'broken', told: tell(run) }
}

function tell(run: TestRun): string {
  switch (run.kind) {
    case 'passed':
      return 'passed'
    case 'failed':
      return `killed by "${run.test}"`
    case 'endless':
      return `killed: its tests did not end in ${values.seconds} s`
    case 'broken':
      return `BROKEN: no test has failed, but\n${run.output}`
  }
}

function since(began: number): string {
  return seconds(performance.now() - began)
}

/**
 * Damages copies of a data directory in many ways. Of each copy, `quarry check` has to name the damage; where it finds nothing, a server
 * has to start on it and to answer all that it is asked as if nothing had happened. Damaged rows of accounts and of the audit, which have
 * no checksums, are counted by themselves.
 *
 *     npx tsx scripts/damage.ts --runs 200 --seed 1
 *
 * The seed repeats a run; `--only N` one case of it. Exit code 1: damage was missed, or something fell over.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkFile } from '../src/store/sqlite/care/check/check-file.ts'
import { DATABASE_FILE } from '../src/store/sqlite/open-sqlite-store.ts'
import { type Answers, askServer } from './damage/answers.ts'
import { makeOriginals, type Originals, takeCopy } from './damage/originals.ts'
import { UNGUARDED_QUESTIONS, WAYS } from './damage/ways.ts'
import { createRandom } from './fuzz/random.ts'
import { conclude, wholeNumber } from './measured.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
const seed = wholeNumber('seed', values.seed, 0)
const runs = wholeNumber('runs', values.runs)
const only = values.only === undefined ? null : wholeNumber('only', values.only, 0)
const directory = mkdtempSync(join(tmpdir(), 'quarry-damage-'))
try {
  process.exitCode = await runAll()
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** What is right to be answered: the states of a server that was stopped, and of one that was killed, hold the same. */
async function rightAnswers(originals: Originals): Promise<Answers> {
  const copy = join(directory, 'right')
  takeCopy(originals.stopped, copy)
  const answers = await askServer(copy)
  rmSync(copy, { recursive: true })
  const bad = 'notStarted' in answers ? [answers.notStarted] : [...answers].filter(([, answer]) => !('said' in answer))
  if (bad.length > 0) throw new Error(`what is not damaged is not right: ${JSON.stringify(bad[0])}`)
  return answers
}

async function runAll(): Promise<0 | 1> {
  const began = performance.now()
  const originals = await makeOriginals(directory, seed)
  const right = await rightAnswers(originals)
  const seen = { named: 0, harmless: 0, unguarded: 0, missed: 0 }
  const cases = only === null ? Array.from({ length: runs }, (_, i) => i) : [only]
  for (const number of cases) {
    const { verdict, text } = await runCase(number, originals, right)
    seen[verdict] += 1
    if (verdict === 'missed' || verdict === 'unguarded' || values.verbose)
      process.stdout.write(`${number} ${verdict}: ${text}\n`)
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(
    `${seen.named} named, ${seen.harmless} without consequence, ${seen.unguarded} in rows without checksum, ` +
      `${seen.missed} missed, in ${seconds} s\n`,
  )
  return conclude(seen.missed === 0, [
    { what: 'cases', count: seen.named + seen.harmless + seen.unguarded + seen.missed, least: cases.length },
    // Damage that is never seen was none.
    ...(only === null
      ? [{ what: 'cases with damage that was named', count: seen.named, least: cases.length / 4 }]
      : []),
  ])
}

interface Outcome {
  /** `unguarded`: in a row of accounts or of the audit, which has no checksum; nothing else is concerned. */
  readonly verdict: 'named' | 'harmless' | 'unguarded' | 'missed'
  readonly text: string
}

async function runCase(number: number, originals: Originals, right: Answers): Promise<Outcome> {
  const way = WAYS[number % WAYS.length] as (typeof WAYS)[number]
  const copy = join(directory, `case-${number}`)
  const fileOf = (path: string) => join(path, DATABASE_FILE)
  takeCopy(originals[way.from], copy)
  const files = {
    stopped: fileOf(originals.stopped),
    killed: fileOf(originals.killed),
    earlier: fileOf(originals.earlier),
    killedEarlier: fileOf(originals.killedEarlier),
  }
  const file = fileOf(copy)
  try {
    const done = way.damage({ file, originals: files, random: createRandom(seed * 100_003 + number) })
    const { verdict, text } = await judge(copy, file, right)
    return { verdict, text: `${way.name}: ${done}. ${text}` }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function judge(copy: string, file: string, right: Answers): Promise<Outcome> {
  let findings: readonly string[]
  try {
    findings = checkFile(file).findings
  } catch (error) {
    return { verdict: 'missed', text: `check fell over: ${error instanceof Error ? error.stack : String(error)}` }
  }
  const isNamed = findings.length > 0
  const answers = await askServer(copy)
  const told = `check: ${findings.slice(0, 2).join(' | ')}`
  if ('notStarted' in answers) {
    const isFault = answers.notStarted.startsWith('fault: ')
    if (isNamed && !isFault) return { verdict: 'named', text: `${told}; no start` }
    return { verdict: 'missed', text: `${told}; the server does not start: ${answers.notStarted}` }
  }
  const faults = [...answers].filter(([, answer]) => 'fault' in answer)
  if (faults.length > 0) {
    return { verdict: 'missed', text: `${told}; a fault of the program: ${JSON.stringify(faults[0])}` }
  }
  const wrong = [...answers].filter(
    ([question, answer]) => JSON.stringify(answer) !== JSON.stringify(rightTo(right, question)),
  )
  if (isNamed) return { verdict: 'named', text: `${told}; started, ${wrong.length} answers are others` }
  if (wrong.length === 0) return { verdict: 'harmless', text: 'all answers are right' }
  const verdict = wrong.every(([question]) => UNGUARDED_QUESTIONS.includes(question)) ? 'unguarded' : 'missed'
  return { verdict, text: `check finds nothing; ${wrong.length} answers are wrong: ${JSON.stringify(wrong[0])}` }
}

function rightTo(right: Answers, question: string): unknown {
  return 'notStarted' in right ? null : right.get(question)
}

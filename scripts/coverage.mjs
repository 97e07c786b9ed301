// How many of the branches of four rooms are entered by the tests of `npm test` that are about them. Exit code 1: a test has failed, or a room is below its floor.
//
//     npm run coverage        every branch that is not entered is in coverage/index.html
//
// Continuous integration takes it from the run that it makes anyway: `npm test -- --coverage` runs these tests with it, then the others.
//
// A floor is a little under what was measured; it only rises. Where a branch that matters is not entered, a case is missing.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ROOT, say } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { COVERED, EVERYDAY, projectOptions } from './projects.mjs'
import { beginRun, FAILED, noteFailure, PASSED, sum } from './results.mjs'
import { runSuites } from './suites.mjs'

/** Percent of the branches, by room. */
const FLOORS = { query: 92, engine: 90, structure: 88, accounts: 93 }
const ROOMS = Object.keys(FLOORS)

const COVERED_PROJECTS = projectOptions(['core', 'sqlite'])
const SUMMARY = join(ROOT, 'coverage', 'coverage-summary.json')
const OPTIONS = [
  '--coverage.enabled=true',
  '--coverage.provider=v8',
  `--coverage.include=src/{${ROOMS.join(',')}}/**/*.ts`,
  '--coverage.reportsDirectory=coverage',
  ...['json-summary', 'html'].map((name) => `--coverage.reporter=${name}`),
]

/**
 * Runs the tests that are about the rooms and counts, beside them, the rooms that are above their floors.
 * @param {readonly string[]} parameters of vitest
 */
async function runCovered(parameters) {
  rmSync(SUMMARY, { force: true })
  const { ok, counts } = await runSuites([...OPTIONS, ...COVERED_PROJECTS, ...parameters, ...COVERED])
  // Of a run with failures there is no summary.
  if (!ok) return { ok, counts }
  const total = [...branchesByRoom()].map(([room, share]) => held(room, share)).reduce(sum, counts)
  return { ok: total.failed === 0, counts: total }
}

/**
 * Runs all of `npm test`, those that are about the rooms with their coverage.
 * @param {readonly string[]} parameters of vitest
 */
export async function runAllCovered(parameters) {
  const covered = await runCovered(parameters)
  const others = await runSuites([...projectOptions(EVERYDAY), ...parameters], {
    env: { ...process.env, COVERED: 'run' },
  })
  return { ok: covered.ok && others.ok, counts: sum(covered.counts, others.counts) }
}

function branchesByRoom() {
  const byRoom = new Map(ROOMS.map((room) => [room, { covered: 0, total: 0 }]))
  const summary = existsSync(SUMMARY) ? JSON.parse(readFileSync(SUMMARY, 'utf8')) : {}
  for (const [file, { branches }] of Object.entries(summary)) {
    const before = byRoom.get(relative(join(ROOT, 'src'), file).split(/[\\/]/)[0])
    if (before === undefined) continue
    before.covered += branches.covered
    before.total += branches.total
  }
  return byRoom
}

function held(room, { covered, total }) {
  const percent = (100 * covered) / total
  const floor = FLOORS[room]
  // Not so where nothing was measured.
  const isHeld = percent >= floor
  const measured = `src/${room}: ${covered} of ${total} branches, ${percent.toFixed(2)} %, floor ${floor} %`
  say(`${isHeld ? 'ok    ' : 'FAILED'} ${measured}`)
  if (!isHeld) noteFailure('coverage', measured)
  return isHeld ? PASSED : FAILED
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let total = FAILED
  beginRun(() => total)
  await ensureInstalled()
  await ensureBuilt()
  total = (await runCovered(process.argv.slice(2))).counts
  process.exitCode = total.failed === 0 ? 0 : 1
}

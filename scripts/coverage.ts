/**
 * How many of the branches of four rooms the suites that speak for them enter. Exit code 1: a test has failed, or a room is below its floor.
 *
 *     npm run coverage        every branch that is not entered is in coverage/index.html
 *
 * A floor is a little under what was measured; it only rises. Where a branch that matters is not entered, a case is missing.
 */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './command.mjs'
import { type Counts, inWords, runSuites, sum } from './suites.mjs'

/** Percent of the branches, by room. */
const FLOORS = { query: 92, engine: 90, structure: 88, accounts: 93 } as const

const SUITES = [
  'test/query',
  'test/engine',
  'test/structure',
  'test/accounts',
  'test/records/plausibility',
  'test/records/material',
  'test/optimade',
  ...[
    'warnings',
    'write-warnings',
    'organizations',
    'password',
    'page-session',
    'paging',
    'count',
    'mistakes',
    'like-materials',
    'surveys',
    'structures',
    'crystals',
    'odd-structures',
  ].map((name) => `test/http/${name}.test.ts`),
]

interface Share {
  readonly covered: number
  readonly total: number
}

const rooms = Object.keys(FLOORS)
const options = {
  enabled: 'true',
  provider: 'v8',
  include: `src/{${rooms.join(',')}}/**`,
  reportsDirectory: 'coverage',
}
const coverage = Object.entries(options).map(([name, value]) => `--coverage.${name}=${value}`)
const reporters = ['json-summary', 'html'].map((name) => `--coverage.reporter=${name}`)
const { ok, counts } = await runSuites([...coverage, ...reporters, '--silent=true', ...SUITES])
const total = ok ? [...branchesByRoom()].map(([room, share]) => held(room, share)).reduce(sum, counts) : counts
process.stdout.write(`${inWords(total)}\n`)
process.exitCode = total.failed === 0 ? 0 : 1

function branchesByRoom(): ReadonlyMap<string, Share> {
  const text = readFileSync(join(ROOT, 'coverage', 'coverage-summary.json'), 'utf8')
  const byRoom = new Map(rooms.map((room): [string, Share] => [room, { covered: 0, total: 0 }]))
  for (const [file, { branches }] of Object.entries(JSON.parse(text) as Record<string, { branches: Share }>)) {
    const room = relative(join(ROOT, 'src'), file).split(/[\\/]/)[0] ?? ''
    const before = byRoom.get(room)
    if (before === undefined) continue
    byRoom.set(room, { covered: before.covered + branches.covered, total: before.total + branches.total })
  }
  return byRoom
}

function held(room: string, { covered, total }: Share): Counts {
  const percent = (100 * covered) / total
  const floor = FLOORS[room as keyof typeof FLOORS]
  // Also where nothing was measured.
  const isHeld = percent >= floor
  const verdict = isHeld ? '' : ': BELOW'
  process.stdout.write(
    `src/${room}: ${covered} of ${total} branches, ${percent.toFixed(2)} %, floor ${floor} %${verdict}\n`,
  )
  return { passed: isHeld ? 1 : 0, failed: isHeld ? 0 : 1, skipped: 0 }
}

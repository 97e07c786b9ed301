/**
 * Makes an extended XYZ of many gigabytes and imports it with the built program into a new data directory, kills that in the middle and runs it again:
 * how much memory it took beside a program that does nothing, how long each part took, and whether every structure is there once, in order.
 *
 *     npm run build && npx tsx scripts/large-files.ts --gigabytes 2 --atoms 400
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { conclude } from './measured.ts'

const { values: given } = parseArgs({
  options: {
    gigabytes: { type: 'string', default: '2' },
    atoms: { type: 'string', default: '400' },
    kill: { type: 'string', default: '0.3' },
    symmetry: { type: 'boolean', default: false },
  },
})
const BYTES = Number(given.gigabytes) * 1e9
const ATOMS = Number(given.atoms)
const KILLED_AT = Number(given.kill)
/** MB beside a program that does nothing. */
const MOST_MEMORY = 200

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'quarry-large-'))
const [data, file] = [join(folder, 'data'), join(folder, 'big.xyz')]

/** A step of copper atoms that wander about in a box; each is told from all others by its number. */
function stepOf(number: number): string {
  const side = Math.ceil(Math.cbrt(ATOMS))
  const rows = Array.from({ length: ATOMS }, (_, atom) => {
    const place = [atom % side, Math.floor(atom / side) % side, Math.floor(atom / side / side)]
    return `Cu ${place.map((x, axis) => (x * 2.6 + 0.3 * Math.sin(number * 0.37 + atom * (axis + 1))).toFixed(8)).join(' ')}`
  })
  const edge = side * 2.6
  return `${ATOMS}\nLattice="${edge} 0 0 0 ${edge} 0 0 0 ${edge}" step=${number}\n${rows.join('\n')}\n`
}

async function makeFile(): Promise<number> {
  const out = createWriteStream(file)
  let frames = 0
  for (let written = 0; written < BYTES; frames++) {
    const step = stepOf(frames)
    written += step.length
    if (!out.write(step)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return frames
}

interface Run {
  readonly lines: readonly string[]
  readonly seconds: number
  /** MB that were resident at the most. */
  readonly peak: number
  readonly counted: number
}

/** Resident memory of a process in MB: at present, or at the most. */
function residentOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  try {
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Runs the program; `onLine` may end it, `keep` says what is kept of a line: all of them may be more than there is memory for. */
function run(
  args: readonly string[],
  onLine: (line: string, child: ChildProcess) => void = () => {},
  keep: (line: string) => string = (line) => line,
): Promise<Run> {
  const began = performance.now()
  const child = spawn(process.execPath, [program, ...args, '--data', data], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end('a password for nobody\n')
  const lines: string[] = []
  let [rest, peak, counted] = ['', 0, 0]
  const watch = setInterval(() => {
    peak = Math.max(peak, residentOf(child.pid ?? 0, 'VmHWM'))
  }, 50)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (counted === 0) counted = performance.now() - began
      lines.push(keep(line))
      onLine(line, child)
    }
  })
  return new Promise((resolve) => {
    child.on('close', () => {
      clearInterval(watch)
      resolve({ lines, seconds: (performance.now() - began) / 1000, peak, counted: counted / 1000 })
    })
  })
}

function tell(what: string, { seconds, peak, counted }: Run, stored: number): void {
  const rate = stored / Math.max(seconds - counted, 1e-3)
  console.log(
    `${what}: ${seconds.toFixed(1)} s, the first report after ${counted.toFixed(1)} s, ${stored} structures, ${rate.toFixed(0)} a second, at most ${peak.toFixed(0)} MB`,
  )
}

const outcomesOf = ({ lines }: Run, outcome: string): number =>
  lines.filter((line) => line.includes('"frame":') && line.includes(`"outcome":"${outcome}"`)).length

const importing = [
  'import',
  file,
  '--user',
  'ada',
  '--frame',
  'all',
  '--json',
  ...(given.symmetry ? [] : ['--no-symmetry']),
]

/** The number of the frame that a record was made of; empty for one that is of no file of several. */
function frameOf(record: string): string {
  const [, frame] = /"partOf":\{"frame":(\d+),"frames":\d/.exec(record) ?? []
  // A part of a text would keep all of it.
  return frame === undefined ? '' : `${Number(frame)}`
}

async function study(): Promise<void> {
  const frames = await makeFile()
  console.log(`${(statSync(file).size / 1e6).toFixed(0)} MB, ${frames} structures of ${ATOMS} atoms`)
  const idle = await run(['user', 'create', 'ada', '--password-stdin'])
  console.log(`a program that makes a user: at most ${idle.peak.toFixed(0)} MB`)
  let reports = 0
  const killed = await run(importing, (_line, child) => {
    if (++reports === Math.ceil(frames * KILLED_AT)) child.kill('SIGKILL')
  })
  tell('until it was killed', killed, outcomesOf(killed, 'stored'))
  const resumed = await run(importing)
  tell('resumed', resumed, outcomesOf(resumed, 'stored'))
  const again = await run(importing)
  tell('once more', again, outcomesOf(again, 'skipped'))
  const members = ['export', '--user', 'ada', '--query', '{"isEntitySet":{"$ne":true}}']
  const found = await run(members, () => {}, frameOf)
  const numbers = found.lines.filter((line) => line !== '').map(Number)
  const isInOrder = numbers.length === frames && numbers.every((number, index) => number === index)
  console.log(`every structure once, in order: ${isInOrder}`)
  const most = Math.max(killed.peak, resumed.peak, again.peak) - idle.peak
  console.log(`at most ${most.toFixed(0)} MB more than a program that does nothing`)
  process.exitCode = conclude(isInOrder && most <= MOST_MEMORY, [
    { what: 'structures that were there before the end', count: outcomesOf(resumed, 'skipped'), least: 1 },
    { what: 'structures that were skipped in the end', count: outcomesOf(again, 'skipped'), least: frames },
  ])
}

try {
  await study()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

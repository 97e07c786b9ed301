import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

/** Clock ticks of a second, in which Linux counts. */
const TICKS = 100

/** Seconds of processors that this process and those that it has ended have used. */
function used(): readonly [own: number, ended: number] {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  if (!existsSync('/proc/self/stat')) return [own, 0]
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return [own, (Number(fields[13]) + Number(fields[14])) / TICKS]
}

/** Since when a file counts: of the process of several, since the last one. */
const shared = globalThis as { usedBefore?: readonly [number, number] }

const told = process.env['TEST_TIMES']

/** Writes down what a file has used. */
function tellUsed(to: string): void {
  const [own, ended] = used()
  const [ownBefore, endedBefore] = shared.usedBefore ?? [0, 0]
  shared.usedBefore = [own, ended]
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  const spent = [own - ownBefore, ended - endedBefore].map((seconds) => seconds.toFixed(2))
  appendFileSync(to, `${[file, process.env['STORE'] ?? '', ...spent].join('\t')}\n`)
}

if (told !== undefined) afterAll(() => tellUsed(told))

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli, startCli } from '../support/cli.ts'

let directory: ReturnType<typeof newDataDirectory>
let file: string
beforeAll(async () => {
  directory = newDataDirectory()
  file = join(dirname(directory.data), 'big.xyz')
  writeFileSync(file, TEXT)
  await runCli(['user', 'create', 'ada', '--password-stdin', '--data', directory.data], { input: 'correct horse' })
})
afterAll(() => directory.remove())

const FRAMES = 30
const PADDING = 'x'.repeat(1_000_000)
/** Two atoms, and a megabyte about them. */
const frameAt = (n: number) =>
  `2\nLattice="${4 + n / 100} 0 0 0 4 0 0 0 4" step=${n}\nCs 0 0 0 ${PADDING}\nCl 2 2 2 x\n`
const TEXT = Array.from({ length: FRAMES }, (_, n) => frameAt(n)).join('')

/** Of a thread that makes more than V8 has room for in the beginning. */
const TELLS_ROOM = `
import { writeSync } from 'node:fs'
import { getHeapSpaceStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
const made = []
if (!isMainThread) {
  for (let at = 0; at < 600000; at++) made.push({ at })
  const { space_size } = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  writeSync(2, 'room ' + space_size + '\\n')
}`

const quarry = (args: readonly string[]) => runCli([...args, '--data', directory.data])
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a file of several structures that is longer than one may be', () => {
  const into = ['--user', 'ada', '--frame', 'all', '--no-symmetry', '--json']

  it('is stored as a set, and skipped without being read again, packed too', async () => {
    const first = linesOf((await quarry(['import', file, ...into])).stdout)
    expect(first.at(-1)).toMatchObject({ stored: FRAMES + 1, skipped: 0, refused: 0 })
    expect(first.slice(0, -1).map(({ frame }) => frame)).toEqual([undefined, ...Array(FRAMES).keys()])
    const [, , third] = linesOf((await quarry(['export', '--query', '{"inSet.slug":"big-xyz"}'])).stdout)
    const hash = createHash('sha256').update(TEXT).digest('hex')
    expect(third).toMatchObject({
      name: 'CsCl #2',
      inSet: [{ index: 2 }],
      src: { text: frameAt(2), filename: 'big.xyz', partOf: { frame: 2, frames: FRAMES, hash } },
    })
    const packed = `${file}.gz`
    writeFileSync(packed, gzipSync(TEXT))
    for (const path of [file, packed]) {
      const again = linesOf((await quarry(['import', path, ...into])).stdout)
      expect(again.at(-1)).toMatchObject({ stored: 0, skipped: FRAMES + 1, refused: 0 })
      expect(again[3]).toEqual({
        file,
        frame: 2,
        format: 'xyz',
        outcome: 'skipped',
        collection: undefined,
        _id: third._id,
      })
    }
  })

  it('has a structure refused alone that is too long, by its number', async () => {
    const long = join(dirname(directory.data), 'long.xyz')
    const atoms = Array.from({ length: 12 }, (_, at) => `Cs ${4 * at} 0 0 ${PADDING}\n`)
    writeFileSync(long, `${frameAt(40)}12\nLattice="50 0 0 0 4 0 0 0 4"\n${atoms.join('')}${frameAt(41)}`)
    const reports = linesOf((await quarry(['import', long, ...into])).stdout)
    expect(reports.map(({ frame, outcome, error }) => [frame, outcome, error?.code, error?.data.line])).toEqual([
      [undefined, 'stored', undefined, undefined],
      [0, 'stored', undefined, undefined],
      [1, 'refused', 41310, 5],
      [2, 'stored', undefined, undefined],
      [undefined, undefined, undefined, undefined],
    ])
  })

  it('is not read from stdin', async () => {
    const refused = await runCli(['import', '-', ...into, '--data', directory.data], { input: TEXT })
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('quarry import --frame all FILE')])
  })

  it('is imported by threads of which none keeps much room for what lives shortly', async () => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TELLS_ROOM)}`
    const one = join(dirname(directory.data), 'one.xyz')
    writeFileSync(one, frameAt(FRAMES))
    const args = ['import', one, '--user', 'ada', '--no-symmetry', '--data', directory.data]
    const child = startCli(args, { environment: { NODE_OPTIONS } })
    const exited = once(child, 'close')
    const told = await text(child.stderr)
    const rooms = Array.from(told.matchAll(/room (\d+)/g), ([, bytes]) => Number(bytes))
    expect(rooms.length).toBeGreaterThan(1)
    expect(Math.max(...rooms)).toBeLessThan(4 * 2 ** 20)
    expect((await exited)[0]).toBe(0)
  })

  it('gives the structure that is meant, and says that there are others', async () => {
    const last = await runCli(['convert', file, '--to', 'poscar', '--frame', '-1'])
    expect(last.stdout).toContain('4.29')
    const [first] = linesOf((await quarry(['import', file, '--user', 'ada', '--no-symmetry', '--json'])).stdout)
    expect(first.outcome).toBe('stored')
    expect(JSON.stringify(first.warnings)).toMatch(
      /The file holds \d+ or more structures; the first, frame 0, is taken\./,
    )
    const [one] = linesOf(
      (await quarry(['export', '--query', '{"src.partOf.frame":0,"inSet":{"$exists":false}}'])).stdout,
    )
    expect(one.src).toMatchObject({ text: frameAt(0), partOf: { frame: 0 } })
  })
})

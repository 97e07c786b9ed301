import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_FILE } from '../../src/store/sqlite/open-sqlite-store.ts'
import { startServer, stopServers } from '../cli/server-process.ts'
import { workUnderWay } from '../support/at-rest.ts'
import { runCli } from '../support/cli.ts'
import { type Answer, ask, type People, type Question } from '../support/questions.ts'
import { triesOf } from '../support/study.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/version-366aca8', import.meta.url))
const CHILD = fileURLToPath(new URL('./opening-child.ts', import.meta.url))
const DIES_AT_WRITE = fileURLToPath(new URL('./dies-at-write.cjs', import.meta.url))
/** What the writer does by itself takes its time on a busy machine. */
const PATIENTLY = { timeout: 30_000 }
const SLOW_MS = 180_000

interface Answered {
  readonly question: Question
  readonly answer: Answer
}

const unpacked = (name: string): Buffer => brotliDecompressSync(readFileSync(join(FIXTURE, name)))
const people = JSON.parse(readFileSync(join(FIXTURE, 'people.json'), 'utf8')) as People
const answered = unpacked('answers.ndjson.br')
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Answered)

describe('a file that version 366aca8 wrote', () => {
  let data: string
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'quarry-older-'))
    writeFileSync(join(data, DATABASE_FILE), unpacked('quarry.db.br'))
  })
  afterEach(async () => {
    await stopServers()
    rmSync(data, { recursive: true, force: true })
  })

  it(
    'gives the answers of that version: at once, when the store has come to rest, and when it is opened again',
    async () => {
      for (let opened = 0; opened < 2; opened += 1) {
        const server = await startServer(data)
        expect(await differences(server.url)).toEqual([])
        await expect.poll(() => workUnderWay(data), PATIENTLY).toEqual([])
        expect(await differences(server.url)).toEqual([])
        expect(await server.stop()).toBe(0)
        expect(server.lines).toEqual([`listening on ${server.url}`])
        expect(readdirSync(data)).toEqual([DATABASE_FILE])
        expect(await runCli(['check', '--data', data])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
      }
    },
    SLOW_MS,
  )

  it('lets people log in with the passwords that they had, and takes changes', async () => {
    const server = await startServer(data)
    const json = { 'content-type': 'application/json' }
    const call = (path: string, method: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/api/2018-10-01/${path}`, {
        method,
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
      })
    const logIn = (username: string) => call('login', 'POST', { username, password: 'correct horse battery' })
    expect((await logIn('bob@example.org')).status).toBe(200)
    expect((await logIn('eve')).status).toBe(401)
    const changed = answered
      .find(({ question }) => question.path.endsWith('/history'))
      ?.question.path.split('/')
      .at(-2)
    const answer = await call(`materials/${changed}`, 'PATCH', { odd: { now: [[1]] } }, people.ada)
    expect(await answer.json()).toMatchObject({ data: { name: 'Magnesia', odd: { now: [[1]] } } })
    expect(await server.stop()).toBe(0)
    expect(await runCli(['check', '--data', data])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
  })

  it.each(partsOfAll())(
    'loses nothing when the process is killed after %f of what brings it up to date, and again in the same place',
    async (part) => {
      const last = Math.ceil(part * (await writesOfAll()))
      expect((await open(data, last)).signal).toBe('SIGKILL')
      // The second time less may be left to do.
      await open(data, last)
      const server = await startServer(data)
      expect(await differences(server.url)).toEqual([])
      await expect.poll(() => workUnderWay(data), PATIENTLY).toEqual([])
      expect(await server.stop()).toBe(0)
      expect(await runCli(['check', '--data', data])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    },
    SLOW_MS,
  )
})

/** Parts of what brings the file up to date after which its process is killed: the first of them lie apart. */
function partsOfAll(): readonly number[] {
  const first = [0.6, 0.01, 0.3, 0.95]
  const golden = 0.618
  return Array.from({ length: triesOf('updates') }, (_, at) => first[at] ?? (at * golden) % 1)
}

let counted: number | null = null

/** How many statements bring the file up to date. */
async function writesOfAll(): Promise<number> {
  if (counted !== null) return counted
  const directory = mkdtempSync(join(tmpdir(), 'quarry-older-whole-'))
  try {
    writeFileSync(join(directory, DATABASE_FILE), unpacked('quarry.db.br'))
    const { writes } = await open(directory, 0)
    counted = writes
    return writes
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Asks every question, and gives those whose answer is another one; the order of fields counts. */
async function differences(origin: string): Promise<object[]> {
  const different: object[] = []
  for (const { question, answer: then } of answered) {
    const now = withoutLaterKinds(await ask(origin, people, question), question)
    if (JSON.stringify(now) !== JSON.stringify(withoutEmptyPage(then))) different.push({ question, then, now })
  }
  return different
}

/** Kinds of records that have come since are counted too. */
function withoutLaterKinds(answer: Answer, { path }: Question): Answer {
  if (!path.endsWith('/entity-counts') || !('data' in answer)) return answer
  return { ...answer, data: (answer.data as { name: string }[]).filter(({ name }) => name !== 'Queries') }
}

/** That version gave a cursor behind a last page that was full, and an empty page there. */
function withoutEmptyPage(answer: Answer): Answer {
  return 'pages' in answer && answer.pages.length > 1 && answer.pages.at(-1)?.length === 0
    ? { ...answer, pages: answer.pages.slice(0, -1) }
    : answer
}

/** Opens a data directory in a process that dies before the statement with this number; 0 lets it come to rest. */
async function open(directory: string, diesAtWrite: number): Promise<{ signal: string | null; writes: number }> {
  const child = spawn(process.execPath, ['--require', DIES_AT_WRITE, '--import', 'tsx', CHILD, directory], {
    env: { ...process.env, DIES_AT_WRITE: String(diesAtWrite) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const isAtRest = () => lines.length > 0 && workUnderWay(directory).length === 0
  await expect.poll(() => isOver() || isAtRest(), { ...PATIENTLY, interval: 5 }).toBe(true)
  child.stdin.on('error', () => {}).end()
  const [, signal] = await ended
  return { signal: signal as string | null, writes: Number(lines[1]) }
}

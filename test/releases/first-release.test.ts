import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_FILE } from '../../src/store/sqlite/open-sqlite-store.ts'
import { startServer, stopServers } from '../cli/server-process.ts'
import { workUnderWay } from '../support/at-rest.ts'
import { runCli } from '../support/cli.ts'
import { type Answer, ask, type People, type Question } from '../support/questions.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/first-release', import.meta.url))
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

describe('a file that the first release wrote', () => {
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
    'gives the answers of that release: at once, when the store has come to rest, and when it is opened again',
    async () => {
      for (let opened = 0; opened < 2; opened += 1) {
        // Five seconds after its start a server looks for symmetry that is missing, and then has more to tell.
        const server = await startServer(data, [], { environment: { QUARRY_SYMMETRY: 'off' } })
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
})

/** What answers about accounts have had since that release: nobody had it then. */
const SINCE: Readonly<Record<string, readonly string[]>> = {
  '/api/2018-10-01/accounts': ['title', 'description'],
  '/api/v1/users/me': ['title'],
}

/** An answer as that release would have written it. */
function textOf({ path }: Question, answer: Answer): string {
  const since = SINCE[path] ?? []
  return JSON.stringify(answer, (name, value) => (value === null && since.includes(name) ? undefined : value))
}

/** Asks every question, and gives those whose answer is another one; the order of fields counts. */
async function differences(origin: string): Promise<object[]> {
  const different: object[] = []
  for (const { question, answer: then } of answered) {
    const now = await ask(origin, people, question)
    if (textOf(question, now) !== JSON.stringify(then)) different.push({ question, then, now })
  }
  return different
}

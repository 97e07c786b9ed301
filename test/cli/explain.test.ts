import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'

const directory = newDataDirectory()
const quarry = (parameters: readonly string[], input?: string) =>
  runCli([...parameters, '--data', directory.data], input === undefined ? {} : { input })

beforeAll(async () => {
  await quarry(['user', 'create', 'ada', '--password-stdin'], 'correct horse')
  const methods = ['us', 'paw', 'nc'].map((subtype) =>
    JSON.stringify({ name: subtype, type: 'pseudopotential', subtype }),
  )
  await quarry(['import', '-', '--user', 'ada', '--kind', 'methods'], methods.join('\n'))
})
afterAll(() => directory.remove())

describe('quarry explain', () => {
  it('tells how a query of a user is run', async () => {
    const query = ['--kind', 'methods', '--query', '{"subtype":"paw"}', '--projection', '{"sort":{"name":1}}']
    const { exitCode, stdout } = await quarry(['explain', '--user', 'ada', ...query])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      count: 1,
      homes: 2,
      segments: expect.any(Number),
      tail: expect.any(Number),
      columns: expect.any(Number),
      byDocument: 0,
      thread: expect.stringMatching(/^(request|reader)$/),
      stations: { homes: expect.any(Number), choose: expect.any(Number), documents: expect.any(Number) },
    })
  })

  it('warns on stderr of what is probably not meant', async () => {
    const query = ['--kind', 'methods', '--query', '{"subtpe":"paw"}']
    const { exitCode, stdout, stderr } = await quarry(['explain', '--user', 'ada', ...query])
    expect([exitCode, JSON.parse(stdout).count]).toEqual([0, 0])
    expect(stderr).toMatch(/^warning 20001: None of the methods .* Did you mean "subtype"\?\n$/)
  })

  it('ends with 2 when the query is wrong, and names the place', async () => {
    const { exitCode, stderr } = await quarry(['explain', '--user', 'ada', '--query', '{"a":{"$gtt":1}}'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('at --query.a')
    expect(stderr.match(/Did you mean/g)).toHaveLength(1)
  })
})

describe('quarry export', () => {
  it('warns on stderr of what is probably not meant, of the kinds that it exports', async () => {
    const find = (query: string, ...more: string[]) => quarry(['export', '--query', query, ...more])
    const misspelled = await find('{"subtpe":"paw"}', '--kind', 'methods')
    expect([misspelled.exitCode, misspelled.stdout]).toEqual([0, ''])
    expect(misspelled.stderr).toContain('warning 20001: None of the methods')
    // What a kind has is none to warn of in an export of all kinds.
    expect((await find('{"subtype":"paw"}')).stderr).toBe('')
    const own = await find('{"subtype":"PAW"}', '--kind', 'methods', '--user', 'ada')
    expect(own.stderr).toContain('warning 20006: "PAW" at --query.subtype is written "paw"')
  })

  it('refuses where it is strict what it would warn of, before it writes anything', async () => {
    const file = join(directory.data, 'out.ndjson')
    const find = (query: string) =>
      quarry(['export', '--kind', 'methods', '--query', query, '--strict', '--output', file])
    const refused = await find('{"subtpe":"paw"}')
    expect([refused.exitCode === 0, existsSync(file)]).toEqual([false, false])
    expect(refused.stderr).toMatch(/None of the methods .* Did you mean "subtype"\?/)
    expect((await find('{"subtype":"paw"}')).exitCode).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('"paw"')
  })
})

describe('quarry reindex', () => {
  it('makes the index anew; what it finds is the same', async () => {
    const find = ['export', '--kind', 'methods', '--query', '{"subtype":"nc"}']
    const before = await quarry(find)
    expect(await quarry(['reindex'])).toEqual({ exitCode: 0, stdout: 'indexed\n', stderr: '' })
    expect(await quarry(['check'])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    expect(await quarry(find)).toEqual(before)
    expect(before.stdout).toContain('"nc"')
  })

  it('ends with 3 where there is no data', async () => {
    expect((await runCli(['reindex', '--data', `${directory.data}-none`])).exitCode).toBe(3)
  })
})

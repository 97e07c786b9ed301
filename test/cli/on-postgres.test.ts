import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'
import { noticedHeaders, startServer, stopServers } from './server-process.ts'

const reason = missingPostgres()
const SECRET = 'Zq-database-word-7751'

describe.skipIf(reason !== null)(`a PostgreSQL database${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let directory: ReturnType<typeof newDataDirectory>
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create({ isEmpty: true })
    directory = newDataDirectory()
  })
  afterEach(async () => {
    await stopServers()
    await database.drop()
    directory.remove()
  })

  const environment = () => ({ QUARRY_DATABASE_URL: database.url.replace('quarry@', `quarry:${SECRET}@`) })
  const quarry = (parameters: readonly string[], input = '') =>
    runCli([...parameters, '--data', directory.data], { input, environment: environment() })
  const createAda = () => quarry(['user', 'create', 'ada', '--password-stdin'], 'correct horse')

  it('is served by two servers at once, each of which knows what the other has written, and has no file', async () => {
    const flags = ['--no-samples', '--log-level', 'debug', '--access-log']
    const one = await startServer(directory.data, flags, { environment: environment() })
    const headers = { ...noticedHeaders(one), 'Content-Type': 'application/json' }
    const other = await startServer(directory.data, [...flags, '--workers', '2'], { environment: environment() })
    const body = '{"type":"pseudopotential","subtype":"us"}'
    for (const [count, { url }] of [one, other, one].entries()) {
      const path = '/api/2018-10-01/methods'
      const created = await fetch(`${url}${path}`, { method: 'POST', headers, body })
      expect(created.status).toBe(201)
      for (const reader of [one, other]) {
        const { data } = (await (await fetch(`${reader.url}${path}`, { headers })).json()) as { data: unknown[] }
        expect(data).toHaveLength(count + 1)
      }
    }
    expect([await one.stop(), await other.stop()]).toEqual([0, 0])
    expect(existsSync(join(directory.data, 'quarry.db'))).toBe(false)
    expect(`${one.stderr()}${other.stderr()}${one.lines}${other.lines}`).not.toContain(SECRET)
  })

  it('is worked on by commands', async () => {
    expect(await createAda()).toMatchObject({ exitCode: 0 })
    expect((await quarry(['token', 'create', '--user', 'ada', '--name', 'script'])).exitCode).toBe(0)
    const file = join(dirname(directory.data), 'si.poscar')
    writeFileSync(file, 'Si\n1.0\n0 2.7 2.7\n2.7 0 2.7\n2.7 2.7 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n')
    expect(await quarry(['import', file, '--user', 'ada', '--no-symmetry'])).toMatchObject({ exitCode: 0 })
    const exported = await quarry(['export', '--kind', 'materials', '--query', '{"formula":"Si"}'])
    expect(
      exported.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).formula),
    ).toEqual(['Si'])
    const explained = await quarry(['explain', '--user', 'ada', '--query', '{"formul":"Si"}'])
    expect(explained.stderr).toContain('Did you mean')
    const audit = await quarry(['audit', '--json'])
    expect(audit.stdout).toContain('record.created')
    expect(await quarry(['reindex'])).toMatchObject({ exitCode: 0, stdout: 'indexed\n' })
    expect(await quarry(['check'])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    expect(await quarry(['recompute', '--json'])).toMatchObject({ exitCode: 0 })
  })

  it('that is empty is left so by commands that begin nothing', async () => {
    for (const command of [['user', 'list'], ['check'], ['export']]) {
      const { exitCode, stderr } = await quarry(command)
      expect([command, exitCode === 0, stderr]).toEqual([
        command,
        false,
        expect.stringContaining('nothing of Quarry in it'),
      ])
    }
    expect((await createAda()).exitCode).toBe(0)
    expect((await quarry(['user', 'list'])).stdout).toContain('ada')
  })

  it('is backed up while a server writes, to a file that is a data directory and restores an empty database', async () => {
    const one = await startServer(directory.data, ['--no-samples'], { environment: environment() })
    const headers = { ...noticedHeaders(one), 'Content-Type': 'application/json' }
    const post = async (name: string) => {
      const body = JSON.stringify({ type: 'pseudopotential', subtype: 'us', name })
      expect((await fetch(`${one.url}/api/2018-10-01/methods`, { method: 'POST', headers, body })).status).toBe(201)
    }
    for (let at = 0; at < 20; at += 1) await post(`before ${at}`)
    const file = join(dirname(directory.data), 'data', 'quarry.db')
    mkdirSync(dirname(file), { recursive: true })
    const backup = quarry(['backup', file])
    let after = 0
    const isOver = backup.then(() => true)
    while (!(await Promise.race([isOver, post(`after ${after}`).then(() => false)]))) after += 1
    expect(await backup).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`wrote ${file}`) })
    expect((await quarry(['restore', file])).stderr).toContain('in use')
    expect((await quarry(['restore', file, '--force'])).stderr).toContain('in use')
    expect(await one.stop()).toBe(0)

    const ofFile = await runCli(['export', '--kind', 'methods', '--data', directory.data])
    expect(ofFile.stdout).toContain('"before 19"')
    expect(await runCli(['check', '--data', directory.data])).toMatchObject({ stdout: 'ok\n' })
    expect(await quarry(['restore', file])).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('--force') })
    expect((await quarry(['export', '--kind', 'methods'])).stdout).toContain('"after 0"')
    expect(await quarry(['restore', file, '--force'])).toMatchObject({ exitCode: 0 })
    expect((await quarry(['export', '--kind', 'methods'])).stdout).toBe(ofFile.stdout)
    expect(await quarry(['check'])).toMatchObject({ stdout: 'ok\n' })
    expect((await quarry(['audit'])).stdout).toContain('store.restored')
  })

  it('is as it was where what is restored is no whole backup', async () => {
    expect((await createAda()).exitCode).toBe(0)
    const file = join(dirname(directory.data), 'copy.db')
    expect(await quarry(['backup', file])).toMatchObject({ exitCode: 0 })
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(7, bytes.length - 5000))
    expect(await quarry(['restore', file, '--force'])).toMatchObject({ exitCode: 3, stdout: '' })
    expect((await quarry(['user', 'list'])).stdout).toContain('ada')
    expect(await quarry(['backup', join(dirname(file), 'no', 'such.db')])).toMatchObject({ exitCode: 3, stdout: '' })
  })

  it('that cannot be had is named without its password', async () => {
    const url = database.url.replace('quarry@', `quarry:${SECRET}@`)
    for (const [QUARRY_DATABASE_URL, part] of [
      [url.replace(/\/[^/]*$/, '/nowhere'), 'database "nowhere" does not exist'],
      [url.replace('postgres:', 'mysql:'), 'QUARRY_DATABASE_URL'],
      [`postgres://quarry:${SECRET}@[/x`, 'QUARRY_DATABASE_URL'],
    ] as const) {
      const { exitCode, stderr, stdout } = await runCli(['user', 'list'], { environment: { QUARRY_DATABASE_URL } })
      expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining(part)])
      expect(stdout + stderr).not.toContain(SECRET)
    }
  })
})

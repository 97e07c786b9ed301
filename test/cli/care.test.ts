import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliOptions, newDataDirectory, runCli } from '../support/cli.ts'
import { noticedHeaders, startServer, stopServers } from './server-process.ts'

let directory: ReturnType<typeof newDataDirectory>
let backupFile: string
beforeEach(() => {
  directory = newDataDirectory()
  backupFile = join(dirname(directory.data), 'copy.db')
})
afterEach(async () => {
  await stopServers()
  directory.remove()
})

const quarry = (parameters: readonly string[], options?: CliOptions) =>
  runCli([...parameters, '--data', directory.data], options)
/** Overwrites the first page of a table; gives the bytes of the file. */
function damageTable(file: string, table: string, byte: number): Buffer {
  const database = new Database(file, { readonly: true })
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table) as number
  const size = database.pragma('page_size', { simple: true }) as number
  database.close()
  const bytes = readFileSync(file)
  bytes.fill(byte, (root - 1) * size, root * size)
  writeFileSync(file, bytes)
  return bytes
}
const createAda = () => quarry(['user', 'create', 'ada', '--password-stdin'], { input: 'correct horse' })

describe('a server that is stopped', () => {
  it.each([{ flags: [] }, { flags: ['--workers', '2'] }])(
    'leaves all data in quarry.db alone, with $flags',
    async ({ flags }) => {
      const server = await startServer(directory.data, ['--no-samples', ...flags])
      const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json' }
      const body = '{"type":"pseudopotential","subtype":"us"}'
      for (let i = 0; i < 4; i++) await fetch(`${server.url}/api/2018-10-01/methods`, { method: 'POST', headers, body })
      expect(await server.stop()).toBe(0)
      expect(readdirSync(directory.data)).toEqual(['quarry.db'])
      expect((await quarry(['check'])).stdout).toBe('ok\n')
    },
  )
})

describe('quarry serve', () => {
  it('does not take an empty file for a new server', async () => {
    mkdirSync(directory.data)
    writeFileSync(join(directory.data, 'quarry.db'), '')
    const result = await runCli(['serve', '--data', directory.data, '--port', '0'])
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toMatch(/quarry\.db is empty.*\nRestore a backup/)
    expect(statSync(join(directory.data, 'quarry.db')).size).toBe(0)
  })
})

describe('quarry serve on a damaged database', () => {
  it('does not start, says what is damaged and what to do, and leaves the file as it is', async () => {
    await createAda()
    const file = join(directory.data, 'quarry.db')
    const bytes = damageTable(file, 'user', 0x5a)
    for (const flags of [[], ['--workers', '2']]) {
      const result = await runCli(['serve', '--data', directory.data, '--port', '0', ...flags])
      expect(result).toMatchObject({ exitCode: 3, stdout: '' })
      expect(result.stderr).toMatch(
        /quarry\.db is damaged; nothing was written to it:\nPage \d+, of the .*\n`quarry check` finds/s,
      )
      expect(readFileSync(file).equals(bytes)).toBe(true)
    }
  })
})

describe('quarry check', () => {
  it('says ok when all is well, for people and for programs', async () => {
    await createAda()
    expect(await quarry(['check'])).toEqual({ exitCode: 0, stdout: 'ok\n', stderr: '' })
    expect(JSON.parse((await quarry(['check', '--json'])).stdout)).toEqual({ ok: true, findings: [] })
  })

  it('ends with 3 when the file is damaged, in JSON as well, and changes nothing', async () => {
    await createAda()
    const file = join(directory.data, 'quarry.db')
    const bytes = damageTable(file, 'user', 0x5a)
    const result = await quarry(['check'])
    expect(result).toMatchObject({ exitCode: 3, stderr: '' })
    expect(result.stdout).toMatch(/^Page \d+, of the (table|index) \w+, is damaged: /m)
    const forPrograms = await quarry(['check', '--json'])
    expect(forPrograms).toMatchObject({ exitCode: 3, stderr: '' })
    expect(JSON.parse(forPrograms.stdout)).toEqual({ ok: false, findings: result.stdout.trimEnd().split('\n') })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it.each([
    ['something else', (file: string) => writeFileSync(file, 'x'.repeat(10_000)), 'is no SQLite database'],
    ['empty', (file: string) => writeFileSync(file, ''), 'is empty (0 bytes)'],
    ['a directory', (file: string) => mkdirSync(file), 'it is a directory'],
  ])('ends with 3 when the file is %s', async (_, make, finding) => {
    mkdirSync(directory.data)
    make(join(directory.data, 'quarry.db'))
    const result = await quarry(['check', '--json'])
    expect(result).toMatchObject({ exitCode: 3, stderr: '' })
    expect(JSON.parse(result.stdout)).toEqual({
      ok: false,
      findings: expect.arrayContaining([expect.stringContaining(finding)]),
    })
  })

  it('looks at a running server without disturbing it', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json' }
    const body = '{"type":"pseudopotential","subtype":"us"}'
    const create = () => fetch(`${server.url}/api/2018-10-01/methods`, { method: 'POST', headers, body })
    expect((await create()).status).toBe(201)
    expect(await quarry(['check'])).toEqual({ exitCode: 0, stdout: 'ok\n', stderr: '' })
    expect((await create()).status).toBe(201)
  })
})

describe('quarry backup and restore', () => {
  it('bring everything back into a new data directory', async () => {
    await createAda()
    const made = await quarry(['backup', backupFile, '--json'])
    expect(JSON.parse(made.stdout)).toEqual({
      file: backupFile,
      bytes: statSync(backupFile).size,
      files: { count: 0, bytes: 0, copied: 0, copiedBytes: 0, missing: 0 },
    })
    const other = newDataDirectory()
    const restored = await runCli(['restore', backupFile, '--data', other.data])
    const users = await runCli(['user', 'list', '--json', '--data', other.data])
    other.remove()
    expect(restored).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(users.stdout)).toMatchObject([{ name: 'ada' }])
  })

  it('do not overwrite unless they are told to', async () => {
    await createAda()
    expect((await quarry(['backup', backupFile])).exitCode).toBe(0)
    const second = await quarry(['backup', backupFile])
    expect(second).toMatchObject({ exitCode: 1, stdout: '' })
    expect(second.stderr).toContain('--force')
    expect((await quarry(['backup', backupFile, '--force'])).exitCode).toBe(0)

    const onto = await quarry(['restore', backupFile])
    expect(onto).toMatchObject({ exitCode: 1, stdout: '' })
    expect(onto.stderr).toContain('--force')
    await quarry(['user', 'create', 'bob', '--password-stdin'], { input: 'correct horse' })
    expect((await quarry(['restore', backupFile, '--force'])).exitCode).toBe(0)
    expect(JSON.parse((await quarry(['user', 'list', '--json'])).stdout)).toHaveLength(1)
  })

  it('take a copy while a server writes, and leave a running server its data', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json' }
    const body = '{"type":"pseudopotential","subtype":"us"}'
    await fetch(`${server.url}/api/2018-10-01/methods`, { method: 'POST', headers, body })
    expect((await quarry(['backup', backupFile])).exitCode).toBe(0)
    expect(await quarry(['restore', backupFile, '--force'])).toMatchObject({ exitCode: 3, stdout: '' })
    expect((await fetch(`${server.url}/api/2018-10-01/methods`, { headers })).status).toBe(200)
  })

  it('write no copy of what is damaged, and leave nothing that looks like a backup', async () => {
    await createAda()
    const database = new Database(join(directory.data, 'quarry.db'))
    database.exec("INSERT INTO revision (n, version, doc, checksum) VALUES (1, 1, '{}', 7)")
    database.close()
    const target = join(dirname(directory.data), 'backups')
    mkdirSync(target)
    const result = await quarry(['backup', target])
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain('Version 1 of record number 1: it is not what was written.')
    expect(readdirSync(target)).toEqual([])
  })

  it('name what is wrong with a damaged backup, and restore nothing of it', async () => {
    await createAda()
    expect((await quarry(['backup', backupFile])).exitCode).toBe(0)
    damageTable(backupFile, 'user', 0)
    const before = readdirSync(directory.data)
    const result = await quarry(['restore', backupFile, '--force'])
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toMatch(/copy\.db is not a whole backup:\nPage \d+, of the (table|index) \w+, is damaged: /)
    expect(readdirSync(directory.data)).toEqual(before)
    expect(JSON.parse((await quarry(['user', 'list', '--json'])).stdout)).toMatchObject([{ name: 'ada' }])
  })

  it('keep as many backups in a directory as they are told, and delete only what they have named', async () => {
    await createAda()
    const target = join(dirname(directory.data), 'backups')
    mkdirSync(target)
    const older = ['quarry-2020-01-01T000000Z.db', 'quarry-2020-01-02T000000Z.db', 'quarry-2020-01-03T000000Z.db']
    const others = ['quarry-2020-01-01.db', 'other-2020-01-01T000000Z.db', 'notes.txt']
    for (const name of [...older, ...others]) writeFileSync(join(target, name), 'x')
    const result = await quarry(['backup', target, '--keep', '2', '--json'])
    const { file, deleted } = JSON.parse(result.stdout) as { file: string; deleted: string[] }
    expect(file).toMatch(/backups\/quarry-\d{4}-\d\d-\d\dT\d{6}Z\.db$/)
    expect(deleted).toEqual([join(target, older[1] as string), join(target, older[0] as string)])
    expect(readdirSync(target).sort()).toEqual([...others, older[2], basename(file)].sort())
    expect(await quarry(['backup', backupFile, '--keep', '2'])).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await quarry(['backup', target, '--keep', '0'])).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await quarry(['backup', target, '--name', '../x'])).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('refuse what is not a backup', async () => {
    writeFileSync(backupFile, 'not a database')
    expect(await quarry(['restore', backupFile])).toMatchObject({ exitCode: 3, stdout: '' })
    expect(existsSync(join(directory.data, 'quarry.db'))).toBe(false)
    expect(await quarry(['restore', join(dirname(directory.data), 'nothing.db')])).toMatchObject({ exitCode: 2 })
  })
})

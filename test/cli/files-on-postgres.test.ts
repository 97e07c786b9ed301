import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'
import { beside, RecordsWithFiles } from '../support/records-with-files.ts'

const FILES = { OUTCAR: Buffer.from('free  energy   TOTEN'.repeat(1000)), CHGCAR: Buffer.alloc(100_000, 'abc') }
const BYTES = 120_000

describe('files of records in PostgreSQL', () => {
  let server: TestServer
  let databases: readonly [TestDatabase, TestDatabase]
  let directory: ReturnType<typeof newDataDirectory>
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    databases = [await server.create({ isEmpty: true }), await server.create({ isEmpty: true })]
    directory = newDataDirectory()
  })
  afterEach(async () => {
    for (const database of databases) await database.drop()
    directory.remove()
  })

  const over = (at: 0 | 1, data: string, ...parameters: readonly string[]) =>
    runCli([...parameters, '--data', data], { environment: { QUARRY_DATABASE_URL: databases[at].url } })

  it('are backed up, restored into another database, checked, and taken along to a data directory', async () => {
    const records = new RecordsWithFiles(directory.data, { databaseUrl: databases[0].url })
    const id = await records.begin()
    await records.put(id, FILES)
    await records.remove(id, 'OUTCAR')
    const [other, third, backups] = ['other', 'third', 'backups'].map((name) =>
      join(dirname(directory.data), name),
    ) as [string, string, string]
    mkdirSync(backups)
    const { file, files } = JSON.parse((await over(0, directory.data, 'backup', backups, '--json')).stdout)
    expect(files).toEqual({ count: 2, bytes: BYTES, copied: 2, copiedBytes: BYTES, missing: 0 })

    const restored = await over(1, other, 'restore', file)
    expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('of which 2 were copied') })
    expect(await over(1, other, 'check')).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    new RecordsWithFiles(other).lose(FILES.OUTCAR)
    expect((await over(1, other, 'check')).stdout).toMatch(
      new RegExp(`^The file "OUTCAR" of version \\d of record ${id} of materials is missing`),
    )
    rmSync(beside(file, FILES.CHGCAR))
    expect(await over(1, other, 'restore', file, '--force')).toMatchObject({ exitCode: 3, stdout: '' })

    const moving = ['migrate', '--from', databases[0].url, '--to', third]
    const moved = await runCli([...moving, '--data', directory.data])
    expect(moved).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('2 files (2 copied)') })
    expect(await runCli(['check', '--data', third])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    rmSync(third, { recursive: true })
    expect((await runCli(moving)).stderr).toContain('The files of records were not moved: --data names')
  })
})

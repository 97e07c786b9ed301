import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { ageContents, beside, RecordsWithFiles, sha256Of } from '../support/records-with-files.ts'

const OUTCAR = Buffer.from('free  energy   TOTEN'.repeat(10_000))
const CHGCAR = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 31) % 256))
const EMPTY = Buffer.alloc(0)
const FILES = { OUTCAR, CHGCAR, 'run/empty': EMPTY }
const BYTES = OUTCAR.length + CHGCAR.length

let directory: ReturnType<typeof newDataDirectory>
let records: RecordsWithFiles
let backups: string
let id: string
beforeEach(async () => {
  directory = newDataDirectory()
  backups = join(dirname(directory.data), 'backups')
  mkdirSync(backups)
  records = new RecordsWithFiles(directory.data)
  id = await records.begin()
  await records.put(id, FILES)
})
afterEach(() => directory.remove())

const quarry = (...parameters: readonly string[]) => runCli([...parameters, '--data', directory.data])
const other = () => join(dirname(directory.data), 'other')
const contentsIn = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((path) => String(path).split('/').at(-1) ?? '')
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .sort()
const hashes = (...contents: readonly Uint8Array[]) => contents.map(sha256Of).sort()
const backUp = async (...flags: readonly string[]) => {
  const { stdout, stderr, exitCode } = await quarry('backup', backups, '--json', ...flags)
  return { ...JSON.parse(stdout), stderr, exitCode }
}

describe('quarry backup', () => {
  it('copies the files of records beside the backup, and those that are there no second time', async () => {
    const first = await backUp('--name', 'first')
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    expect(first.files).toEqual({ count: 3, bytes: BYTES, copied: 3, copiedBytes: BYTES, missing: 0 })
    expect(contentsIn(backups)).toEqual(hashes(OUTCAR, CHGCAR, EMPTY))
    expect(readFileSync(beside(first.file, CHGCAR)).equals(CHGCAR)).toBe(true)
    await records.put(id, { more: Buffer.from('more') })
    expect((await backUp('--name', 'second')).files).toMatchObject({ count: 4, copied: 1, copiedBytes: 4 })
    const { stdout } = await quarry('backup', join(backups, 'third.db'))
    expect(stdout).toContain(
      `4 files (${BYTES + 4} bytes) in ${join(backups, 'quarry-files')}, of which 0 (0 bytes) were copied`,
    )
  })

  it('goes on with what was interrupted', async () => {
    const { file } = await backUp('--name', 'first')
    rmSync(beside(file, OUTCAR))
    writeFileSync(beside(file, CHGCAR), CHGCAR.subarray(0, 1000))
    expect((await backUp('--name', 'second')).files).toMatchObject({ count: 3, copied: 2, copiedBytes: BYTES })
    expect(readFileSync(beside(file, CHGCAR)).equals(CHGCAR)).toBe(true)
  })

  it('names files that are missing or damaged in the data, and has the others', async () => {
    records.lose(OUTCAR)
    records.damage(CHGCAR)
    const { exitCode, stderr, files } = await backUp()
    expect([exitCode, files]).toEqual([3, { count: 3, bytes: BYTES, copied: 1, copiedBytes: 0, missing: 2 }])
    expect(stderr).toContain(`The file "OUTCAR" of record ${id} of materials is missing (content ${sha256Of(OUTCAR)}).`)
    expect(stderr).toContain(`The file "CHGCAR" of record ${id} of materials is damaged`)
    expect(contentsIn(backups)).not.toContain(sha256Of(CHGCAR))
  })

  it('keeps the files that a backup of the directory lists, by a list or by itself, and deletes the others a day later', async () => {
    const first = await backUp('--name', 'a')
    await records.put(id, { OUTCAR: Buffer.from('newer') })
    const folder = join(backups, 'quarry-files')
    expect(readdirSync(join(folder, 'lists'))).toHaveLength(1)
    rmSync(join(folder, 'lists'), { recursive: true })
    writeFileSync(join(backups, 'Thumbs.db'), 'of another program')
    ageContents(folder, [OUTCAR, CHGCAR, EMPTY])
    expect((await backUp('--name', 'b', '--keep', '1')).deletedFiles).toEqual({ count: 0, bytes: 0 })
    rmSync(first.file)
    // As many versions as are kept, and one more.
    await records.put(id, Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`${n}`, Buffer.from('other')])))
    await backUp('--name', 'c')
    for (const name of readdirSync(backups)) if (name.startsWith('b-')) rmSync(join(backups, name))
    expect((await backUp('--name', 'd', '--keep', '1')).deletedFiles).toEqual({ count: 0, bytes: 0 })
    ageContents(folder, [OUTCAR, CHGCAR, EMPTY])
    const { deletedFiles, file } = await backUp('--name', 'e', '--keep', '1')
    expect(deletedFiles).toEqual({ count: 1, bytes: OUTCAR.length })
    expect([existsSync(beside(file, OUTCAR)), existsSync(beside(file, CHGCAR))]).toEqual([false, true])
  })
})

describe('quarry restore', () => {
  it('brings every byte back, into an empty directory and into one that has lost some', async () => {
    const { file } = await backUp()
    const restored = await runCli(['restore', file, '--data', other()])
    expect(restored).toMatchObject({ exitCode: 0, stderr: '' })
    expect(restored.stdout).toContain(`3 files (${BYTES} bytes), of which 3 were copied`)
    for (const bytes of Object.values(FILES)) {
      const path = join(other(), 'files', sha256Of(bytes).slice(0, 2), sha256Of(bytes).slice(2, 4), sha256Of(bytes))
      expect(readFileSync(path).equals(bytes)).toBe(true)
    }
    expect(await runCli(['check', '--data', other()])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    records.lose(OUTCAR)
    writeFileSync(
      join(directory.data, 'files', sha256Of(CHGCAR).slice(0, 2), sha256Of(CHGCAR).slice(2, 4), sha256Of(CHGCAR)),
      CHGCAR.toReversed(),
    )
    expect((await quarry('restore', file, '--force')).stdout).toContain('of which 2 were copied')
    expect((await quarry('check')).stdout).toBe('ok\n')
  })

  it('refuses a backup whose files are missing or damaged, by their names and their number, unless it is told not to', async () => {
    const { file } = await backUp()
    rmSync(beside(file, OUTCAR))
    const missing = await runCli(['restore', file, '--data', other()])
    expect(missing).toMatchObject({ exitCode: 3, stdout: '' })
    expect(missing.stderr).toContain(`Of 3 files that records of ${file} list, 1 are missing in`)
    expect(missing.stderr).toContain(`The file "OUTCAR" of record ${id} of materials is missing`)
    writeFileSync(beside(file, CHGCAR), CHGCAR.toReversed())
    writeFileSync(beside(file, OUTCAR), OUTCAR)
    const damaged = await runCli(['restore', file, '--data', other()])
    expect(damaged.stderr).toContain(`The file "CHGCAR" of record ${id} of materials is damaged`)
    expect(existsSync(join(other(), 'quarry.db'))).toBe(false)
    const forced = await runCli(['restore', file, '--data', other(), '--incomplete'])
    expect(forced).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('"CHGCAR"') })
    expect((await runCli(['check', '--data', other()])).stdout).toContain('"CHGCAR"')
  })
})

describe('quarry check', () => {
  it('names each file that is missing or damaged, with its record, of earlier versions too', async () => {
    expect(await quarry('check')).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    await records.remove(id, 'OUTCAR')
    records.lose(OUTCAR)
    records.damage(CHGCAR)
    const { exitCode, stdout } = await quarry('check')
    expect([exitCode, stdout.trimEnd().split('\n').sort()]).toEqual([
      3,
      [
        `The file "CHGCAR" of record ${id} of materials is damaged: its bytes are not those that were stored (content ${sha256Of(CHGCAR)}).`,
        `The file "OUTCAR" of version 2 of record ${id} of materials is missing (content ${sha256Of(OUTCAR)}).`,
      ],
    ])
    expect(JSON.parse((await quarry('check', '--json')).stdout)).toMatchObject({ ok: false, findings: { length: 2 } })
    expect(await quarry('check', '--no-files')).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
  })
})

describe('quarry migrate', () => {
  it('takes the files along, and goes on where it was interrupted', async () => {
    const target = new RecordsWithFiles(other())
    const move = () => runCli(['migrate', '--from', directory.data, '--to', other()])
    const moved = await move()
    expect(moved).toMatchObject({ exitCode: 0, stderr: '' })
    expect(moved.stdout).toContain('3 files (3 copied)')
    expect(await runCli(['check', '--data', other()])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    rmSync(join(other(), 'quarry.db'))
    target.lose(CHGCAR)
    expect((await move()).stdout).toContain('3 files (1 copied)')
    expect((await move()).exitCode).toBe(3)
  })
})

import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliOptions, newDataDirectory, runCli } from '../support/cli.ts'
import { RecordsWithFiles } from '../support/records-with-files.ts'

const IS_ROOT = process.getuid?.() === 0
/** Somebody else: a number that owns nothing else, with the group of nobody. */
const SERVICE = { uid: 64_998, gid: 64_997 }
const OTHER = { uid: 64_996, gid: 64_997 }

let directory: ReturnType<typeof newDataDirectory>
let backupFile: string
let database: string
beforeEach(async () => {
  directory = newDataDirectory()
  backupFile = join(dirname(directory.data), 'copy.db')
  database = join(directory.data, 'quarry.db')
  chmodSync(dirname(directory.data), 0o755)
  await quarry(['user', 'create', 'ada', '--password-stdin'], { input: 'correct horse battery' })
  await quarry(['backup', backupFile])
  chmodSync(backupFile, 0o644)
})
afterEach(() => directory.remove())

const quarry = (parameters: readonly string[], options?: CliOptions) =>
  runCli([...parameters, '--data', directory.data], options)

function giveData({ uid, gid }: typeof SERVICE): void {
  for (const name of readdirSync(directory.data)) chownSync(join(directory.data, name), uid, gid)
  chownSync(directory.data, uid, gid)
}

function ownersOfData(): readonly { uid: number; gid: number }[] {
  return [directory.data, ...readdirSync(directory.data).map((name) => join(directory.data, name))].map((path) => {
    const { uid, gid } = statSync(path)
    return { uid, gid }
  })
}

/** Only root can be somebody else for a while: elsewhere these have nobody to be. */
describe.skipIf(!IS_ROOT)('as root', () => {
  it('restore leaves the data to whom they belonged, with the mode that the file had', async () => {
    giveData(SERVICE)
    chmodSync(database, 0o640)
    expect(await quarry(['restore', backupFile, '--force'])).toMatchObject({ exitCode: 0, stderr: '' })
    expect(statSync(database).mode & 0o777).toBe(0o640)
    for (const owner of ownersOfData()) expect(owner).toEqual(SERVICE)
    const users = await quarry(['user', 'list', '--json'], { user: SERVICE })
    expect(JSON.parse(users.stdout)).toMatchObject([{ name: 'ada' }])
  })

  it('restore into a directory without data leaves them to the owner of the directory', async () => {
    const empty = join(dirname(directory.data), 'empty')
    mkdirSync(empty, { mode: 0o750 })
    chownSync(empty, SERVICE.uid, SERVICE.gid)
    expect((await runCli(['restore', backupFile, '--data', empty])).exitCode).toBe(0)
    expect(statSync(join(empty, 'quarry.db'))).toMatchObject(SERVICE)
    expect((await runCli(['check', '--data', empty], { user: SERVICE })).stdout).toBe('ok\n')
  })

  it('restore leaves the files of records to the owner of the data', async () => {
    const parent = dirname(directory.data)
    const [first, empty] = [join(parent, 'first'), join(parent, 'empty')]
    const records = new RecordsWithFiles(first)
    await records.put(await records.begin(), { OUTCAR: Buffer.from('free  energy   TOTEN') })
    await runCli(['backup', backupFile, '--force', '--data', first])
    mkdirSync(empty, { mode: 0o750 })
    chownSync(empty, SERVICE.uid, SERVICE.gid)
    expect((await runCli(['restore', backupFile, '--data', empty])).exitCode).toBe(0)
    const paths = readdirSync(join(empty, 'files'), { recursive: true }).map(String)
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) expect(statSync(join(empty, 'files', path))).toMatchObject(SERVICE)
    expect((await runCli(['check', '--data', empty], { user: SERVICE })).stdout).toBe('ok\n')
  })

  it('a database that is made in somebody’s directory is theirs', async () => {
    const empty = join(dirname(directory.data), 'empty')
    mkdirSync(empty, { mode: 0o700 })
    chownSync(empty, SERVICE.uid, SERVICE.gid)
    await runCli(['user', 'create', 'ada', '--password-stdin', '--data', empty], { input: 'correct horse battery' })
    expect((await runCli(['user', 'list', '--data', empty], { user: SERVICE })).stdout).toContain('ada')
  })
})

describe.skipIf(!IS_ROOT)('as somebody to whom the data do not belong', () => {
  const asOther = (parameters: readonly string[]) => quarry(parameters, { user: OTHER })

  it.each([
    ['a list of users', ['user', 'list']],
    ['a check', ['check']],
    ['a start', ['serve', '--port', '0']],
  ])('%s names the file, its owner, its mode and the remedy', async (_what, parameters) => {
    giveData(SERVICE)
    chmodSync(directory.data, 0o755)
    chmodSync(database, 0o600)
    const { exitCode, stdout, stderr } = await asOther(parameters)
    expect(exitCode).toBe(3)
    const told = stdout + stderr
    expect(told).toMatch(
      /quarry\.db cannot be (?:opened|read): it belongs to #64998 \(mode 600\), and this runs as #64996/,
    )
    expect(told).toContain(`sudo chown #${OTHER.uid} ${database}`)
  })

  it('a closed data directory is not taken for one without data', async () => {
    giveData(SERVICE)
    chmodSync(directory.data, 0o700)
    const elsewhere = join(dirname(directory.data), 'settings.json')
    writeFileSync(elsewhere, '{}')
    for (const flags of [[], ['--config', elsewhere]]) {
      const { stderr } = await asOther(['user', 'list', ...flags])
      expect(stderr).toContain(`the directory ${directory.data} belongs to #${SERVICE.uid} (mode 700)`)
      expect(stderr).not.toContain('no Quarry database')
    }
  })

  it('restore replaces nothing that its owner could not open afterwards', async () => {
    giveData(SERVICE)
    chmodSync(directory.data, 0o777)
    chmodSync(database, 0o666)
    const result = await asOther(['restore', backupFile, '--force'])
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain(`${database} belongs to #${SERVICE.uid}`)
    expect(result.stderr).toContain(`sudo -u #${SERVICE.uid}`)
    expect(ownersOfData()[1]).toEqual(SERVICE)
  })

  it('backup and restore say whose the directory is that they cannot write', async () => {
    giveData(OTHER)
    const closed = join(dirname(directory.data), 'closed')
    mkdirSync(closed, { mode: 0o755 })
    for (const parameters of [
      ['backup', join(closed, 'copy.db'), '--data', directory.data],
      ['restore', backupFile, '--data', closed],
    ]) {
      const result = await runCli(parameters, { user: OTHER })
      expect(result).toMatchObject({ exitCode: 3, stdout: '' })
      expect(result.stderr).toContain(
        `the directory ${closed} belongs to root (mode 755), and this runs as #${OTHER.uid}`,
      )
    }
    chmodSync(backupFile, 0o600)
    const unreadable = await runCli(['restore', backupFile, '--data', join(directory.data, 'new')], { user: OTHER })
    expect(unreadable.stderr).toContain(`it belongs to root (mode 600), and this runs as #${OTHER.uid}`)
  })
})

describe.skipIf(!IS_ROOT)('files that a command is given', () => {
  it.each([
    ['a directory of structures', (closed: string) => ['import', closed, '--user', 'ada']],
    ['a structure', (closed: string) => ['import', join(closed, 'POSCAR'), '--user', 'ada']],
    ['a file to write', (closed: string) => ['export', '--output', join(closed, 'out.ndjson')]],
    ['a configuration', (closed: string) => ['user', 'list', '--config', join(closed, 'quarry.json')]],
  ])('%s that cannot be used is named with its owner, its mode and the remedy', async (_what, parameters) => {
    giveData(OTHER)
    const closed = join(dirname(directory.data), 'closed')
    mkdirSync(closed, { mode: 0o700 })
    writeFileSync(join(closed, 'POSCAR'), 'x')
    const { exitCode, stderr } = await quarry(parameters(closed), { user: OTHER })
    expect(exitCode).not.toBe(0)
    expect(stderr).toMatch(/belongs to root \(mode 700\), and this runs as #64996/)
    expect(stderr).not.toContain('internal fault')
  })
})

describe.skipIf(IS_ROOT)('as the owner', () => {
  it('a file whose mode keeps the owner out is named with the mode and the remedy', async () => {
    chmodSync(database, 0o000)
    const result = await quarry(['user', 'list'])
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain('(mode 000)')
    expect(result.stderr).toContain(`chmod u+rw ${database}`)
  })

  it('restore keeps the mode that the file had', async () => {
    chmodSync(database, 0o640)
    expect((await quarry(['restore', backupFile, '--force'])).exitCode).toBe(0)
    expect(statSync(database).mode & 0o777).toBe(0o640)
  })
})

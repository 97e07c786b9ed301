import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'

let directory: ReturnType<typeof newDataDirectory>
const quarry = (...parameters: string[]) => runCli([...parameters, '--data', directory.data])
const rowsOf = (stdout: string) => stdout.split('\n').filter((line) => line !== '')

beforeAll(async () => {
  directory = newDataDirectory()
  const parameters = ['user', 'create', 'ada', '--password-stdin', '--data', directory.data]
  await runCli(parameters, { input: 'a good password\n' })
  await quarry('user', 'disable', 'ada')
  await quarry('user', 'enable', 'ada')
})
afterAll(() => directory.remove())

describe('quarry audit', () => {
  it('shows what commands did, in the order of time, and who ran them', async () => {
    const { exitCode, stdout, stderr } = await quarry('audit')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const [head = '', ...rows] = rowsOf(stdout)
    expect(head.split(/\s+/)).toEqual(['TIME', 'ACTION', 'USER', 'ACCOUNT', 'FROM', 'REQUEST', 'WHAT'])
    expect(rows.map((row) => row.split(/\s+/)[1])).toEqual(['user.created', 'user.disabled', 'user.enabled'])
    for (const row of rows) expect(row).toContain(`command os:${userInfo().username}`)
  })

  it('prints rows for programs, one a line', async () => {
    const { stdout } = await quarry('audit', '--json', '--action', 'user.created')
    expect(rowsOf(stdout).map((line) => JSON.parse(line))).toMatchObject([
      { at: expect.stringMatching(/Z$/), action: 'user.created', kind: 'user', details: { name: 'ada' } },
    ])
  })

  it('shows the latest rows, and says that there are older ones', async () => {
    const { stdout, stderr } = await quarry('audit', '--limit', '1', '--json')
    expect(rowsOf(stdout).map((line) => JSON.parse(line).action)).toEqual(['user.enabled'])
    expect(stderr).toContain('There are older rows')
  })

  it.each([
    [['--since', '1h'], 3],
    [['--until', '1h'], 0],
    [['--since', '2020-01-01', '--until', '2020-02-01T00:00:00Z'], 0],
    [['--user', 'ada'], 0],
  ])('with %j shows %i rows', async (flags, count) => {
    const { stdout } = await quarry('audit', '--json', ...flags)
    expect(rowsOf(stdout)).toHaveLength(count)
  })

  it('has each record of an import, and who ran it as whom', async () => {
    const input = [
      '{"name":"a","type":"dft","subtype":"gga"}',
      '{"name":"b","type":"dft","subtype":"gga","isPublic":true}',
    ]
    const parameters = ['import', '-', '--user', 'ada', '--data', directory.data]
    const imported = await runCli([...parameters, '--kind', 'methods'], { input: input.join('\n') })
    expect([imported.exitCode, imported.stderr.includes('refused')]).toEqual([0, false])
    const { stdout } = await quarry('audit', '--json', '--action', 'record', '--user', 'ada')
    const rows = rowsOf(stdout).map((line) => JSON.parse(line))
    expect(rows.map(({ action }) => action).sort()).toEqual(['record.created', 'record.created', 'record.published'])
    for (const row of rows)
      expect(row).toMatchObject({ via: 'command', address: `os:${userInfo().username}`, user: { name: 'ada' } })
  })

  it('has a copy of all data, and who made it', async () => {
    const file = join(directory.data, '..', 'copy.db')
    expect((await quarry('backup', file)).exitCode).toBe(0)
    const { stdout } = await quarry('audit', '--json', '--action', 'store')
    expect(rowsOf(stdout).map((line) => JSON.parse(line))).toMatchObject([
      { action: 'store.backed-up', via: 'command', address: `os:${userInfo().username}`, details: { file } },
    ])
  })

  it.each([
    [['--action', 'user.creatd'], 'Did you mean user.created?'],
    [['--since', 'yesterday'], '24h, 7d, 4w'],
    [['--limit', '0'], 'from 1 to'],
    [['--user', 'nobody'], 'There is no user "nobody"'],
  ])('refuses %j', async (flags, message) => {
    const { exitCode, stdout, stderr } = await quarry('audit', ...flags)
    expect(exitCode).toBeGreaterThan(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  })
})

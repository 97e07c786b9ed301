import { describe, expect, it } from 'vitest'
import { fullName, leavesOf } from '../../scripts/docs/cli-page.ts'
import { loadProgram } from '../../src/cli/program.ts'
import { newDataDirectory, runCli } from '../support/cli.ts'

const COMMANDS = leavesOf(await loadProgram())

/** In the order of `quarry --help`. */
const PROMISED = [
  'quarry serve',
  'quarry user create',
  'quarry user list',
  'quarry user disable',
  'quarry user enable',
  'quarry user password',
  'quarry organization create',
  'quarry organization change',
  'quarry organization list',
  'quarry organization members',
  'quarry organization add',
  'quarry organization remove',
  'quarry organization transfer',
  'quarry organization delete',
  'quarry token create',
  'quarry token list',
  'quarry token revoke',
  'quarry import',
  'quarry export',
  'quarry change make',
  'quarry change list',
  'quarry change watch',
  'quarry change cancel',
  'quarry change undo',
  'quarry convert',
  'quarry build',
  'quarry analyze',
  'quarry explain',
  'quarry audit',
  'quarry check',
  'quarry recompute',
  'quarry reindex',
  'quarry samples add',
  'quarry samples remove',
  'quarry backup',
  'quarry restore',
  'quarry migrate',
  'quarry version',
]

describe('quarry', () => {
  it('has the commands that the documentation promises', () => {
    const names = COMMANDS.map(fullName)
    const unexpected = names.filter((name) => !PROMISED.includes(name))
    expect(unexpected, `PROMISED lacks ${unexpected.join(', ')}`).toEqual([])
    expect(names).toEqual(PROMISED)
  })

  it.each(COMMANDS.map((command) => [fullName(command), command] as const))('%s describes itself', (_name, command) => {
    expect(command.description()).toMatch(/\.$/)
    for (const option of command.options) expect(option.description, option.flags).not.toBe('')
  })

  it('prints help on stdout and ends with 0', async () => {
    const result = await runCli(['token', 'create', '--help'])
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(result.stdout).toContain('--read-only')
    expect((await runCli(['--help'])).stdout).toContain('Exit codes:')
  })

  it.each([
    [[], 'Usage: quarry'],
    [['user'], 'Usage: quarry user'],
    [['tokn'], 'Did you mean token?'],
    [['user', 'lst'], 'Did you mean list?'],
    [['version', '--jsn'], 'Did you mean --json?'],
    [['backup'], "missing required argument 'file'"],
    [['version', 'extra'], 'too many arguments'],
  ])('ends with 2 on %j', async (parameters, message) => {
    const result = await runCli(parameters)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(message)
  })

  it('prints its version', async () => {
    const { stdout } = await runCli(['version'])
    expect(stdout).toMatch(/^quarry \d+\.\d+\.\d+\n$/)
    for (const flag of ['--version', '-V']) expect(await runCli([flag])).toMatchObject({ exitCode: 0, stdout })
    expect(JSON.parse((await runCli(['version', '--json'])).stdout)).toMatchObject({ node: process.versions.node })
  })

  it.each([
    ['user list'],
    ['token list --user ada'],
    ['token revoke x'],
    ['export --user ada'],
    ['check'],
    ['backup copy.db'],
  ])('%s ends with 3 where there is no data directory', async (command) => {
    const { data, remove } = newDataDirectory()
    const result = await runCli([...command.split(' '), '--data', data])
    remove()
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain(`The data directory ${data} does not exist.`)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { COMMANDS, SETTINGS_MISTAKES } from '../cases/mistakes/commands.mistakes.ts'
import { newDataDirectory, runCli } from '../support/cli.ts'

const { data, remove } = newDataDirectory()
const input = 'a rather long phrase\n'

beforeAll(async () => {
  const { exitCode } = await runCli(['user', 'create', 'ada', '--password-stdin', '--data', data], { input })
  expect(exitCode).toBe(0)
})
afterAll(remove)

describe('somebody who types a command', () => {
  it.each(COMMANDS.map((command) => [command.meant, command] as const))('is told: %s', async (_, command) => {
    const parameters = command.parameters.replaceAll('{data}', data).split(' ')
    const { exitCode, stderr } = await runCli(parameters, { input })
    expect([exitCode, stderr]).toEqual([command.exitCode, expect.stringContaining(command.says)])
  })
})

describe('somebody who sets a server up', () => {
  it.each(SETTINGS_MISTAKES.map((mistake) => [mistake.meant, mistake] as const))('is told: %s', (_, mistake) => {
    const { flags = {}, environment = {}, file, says } = mistake
    const content = file === undefined ? null : { path: '/data/quarry.json', content: file }
    expect(() => readConfig(flags, environment, content)).toThrow(says)
  })
})

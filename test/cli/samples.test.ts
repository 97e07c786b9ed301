import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'

let directory: ReturnType<typeof newDataDirectory>
beforeAll(async () => {
  directory = newDataDirectory()
  await quarry(['user', 'create', 'ada', '--password-stdin'], 'correct horse battery')
})
afterAll(() => directory.remove())

const quarry = (parameters: readonly string[], input = '') =>
  runCli([...parameters, '--data', directory.data], { input, environment: { QUARRY_SYMMETRY: 'off' } })

describe('quarry samples', () => {
  it('has nothing to remove where there are none', async () => {
    expect(await quarry(['samples', 'remove'])).toEqual({
      exitCode: 0,
      stdout: 'removed the samples: 0 records\n',
      stderr: '',
    })
  })

  it('adds them to a directory in use, and only once', async () => {
    expect((await quarry(['samples', 'add'])).stdout).toBe('added 159 samples\n')
    expect(JSON.parse((await quarry(['samples', 'add', '--json'])).stdout)).toEqual({ added: 0, present: 159 })
  })

  it('leaves what is none of the library, and says so', async () => {
    const own = '{"type":"pseudopotential","subtype":"us","name":"my own"}\n'
    const imported = await quarry(['import', '-', '--kind', 'methods', '--user', 'samples'], own)
    expect(imported).toMatchObject({ exitCode: 0 })
    const removed = await quarry(['samples', 'remove'])
    expect(removed).toMatchObject({ exitCode: 0, stdout: 'removed the samples: 215 records\n' })
    expect(removed.stderr).toMatch(/^left methods\/\w+ \(my own\): it is none of the library\n$/)
    const left = JSON.parse((await quarry(['samples', 'remove', '--json'])).stdout)
    expect(left).toMatchObject({ removed: 0, left: [{ collection: 'methods', name: 'my own', reason: 'no sample' }] })
  })

  it('adds them again after they were removed', async () => {
    expect((await quarry(['samples', 'add'])).stdout).toBe('added 159 samples\n')
    expect((await quarry(['check'])).stdout).toBe('ok\n')
  })
})

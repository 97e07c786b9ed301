import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'

const MANY = 1_050
const directory = newDataDirectory()
const quarry = (parameters: readonly string[], input?: string) =>
  runCli([...parameters, '--data', directory.data], input === undefined ? {} : { input })
const change = (...parameters: string[]) => quarry(['change', ...parameters, '--user', 'ada'])
const make = (query: object, ...parameters: string[]) =>
  change('make', '--kind', 'methods', '--query', JSON.stringify(query), ...parameters)
const TAG = ['--change', '{"$addToSet":{"tags":"checked"}}']
const count = async (query: object) => {
  const { stdout } = await quarry(['export', '--kind', 'methods', '--query', JSON.stringify(query)])
  return stdout.split('\n').length - 1
}
const idIn = (stderr: string) => /^change (\w{17})$/m.exec(stderr)?.[1] ?? ''

beforeAll(async () => {
  await quarry(['user', 'create', 'ada', '--password-stdin'], 'correct horse battery')
  const methods = Array.from({ length: MANY }, (_, index) =>
    JSON.stringify({ name: `m${index}`, type: 'pseudopotential', subtype: index < 3 ? 'paw' : 'us' }),
  )
  await quarry(['import', '-', '--user', 'ada', '--kind', 'methods'], methods.join('\n'))
})
afterAll(() => directory.remove())

describe('quarry change', () => {
  it('tells how many match, changes them at once where they are few, and puts them back', async () => {
    const tried = await make({ subtype: 'paw' }, ...TAG, '--dry-run')
    expect(tried.stdout.split('\n')[0]).toBe('3 match, 3 would be changed')
    const made = await make({ subtype: 'paw' }, ...TAG, '--expect', '3')
    expect(made).toMatchObject({ exitCode: 0, stdout: '3 of 3 changed\n' })
    expect(await count({ tags: 'checked' })).toBe(3)
    const [, id = ''] = /undo (\w{17})/.exec(made.stderr) ?? []
    expect(await change('undo', id)).toMatchObject({ exitCode: 0, stdout: '3 put back, 0 not\n' })
    expect(await count({ tags: 'checked' })).toBe(0)
  })

  it('changes many in portions, lists them, and puts them back', async () => {
    const made = await make({}, ...TAG, '--expect', String(MANY))
    expect(made).toMatchObject({
      exitCode: 0,
      stdout: `${MANY} of ${MANY} changed, 0 were so already, 0 refused\n`,
    })
    const id = idIn(made.stderr)
    expect(made.stderr).toContain(`\`quarry change undo ${id}\` puts them back.`)
    expect(await count({ tags: 'checked' })).toBe(MANY)
    const listed = await change('list')
    expect(listed.stdout).toMatch(new RegExp(`^${id} .* update methods +done +${MANY} +0 +yes$`, 'm'))
    expect(await change('cancel', id)).toMatchObject({ exitCode: 0, stderr: 'It is over: done.\n' })
    expect((await change('watch', id, '--json')).stdout).toContain('"state": "done"')
    const undone = await change('undo', id, '--json')
    expect(JSON.parse(undone.stdout)).toMatchObject({ action: 'undo', of: id, state: 'done', count: MANY })
    expect(await count({ tags: 'checked' })).toBe(0)
  })

  it('computes again what is out of date, and offers no undo', async () => {
    const made = await make({ subtype: 'paw' }, '--recompute', '--expect', '3')
    expect(made).toMatchObject({ exitCode: 0, stdout: '0 of 3 brought up to date\n' })
    expect(made.stderr).not.toContain('undo')
  })

  it('says in the words of commands what is wrong', async () => {
    const told = async (made: Promise<{ stderr: string; exitCode: number | null }>) => {
      const { stderr, exitCode } = await made
      return `${exitCode} ${stderr}`
    }
    expect(await told(make({}, ...TAG))).toMatch(/^2 .*--dry-run tells it/s)
    expect(await told(make({}, '--expect', '3'))).toMatch(/^2 .*or --delete/s)
    expect(await told(make({}, ...TAG, '--expect', '7'))).toMatch(/^1 .*give its number as --expect/s)
    expect(await told(change('undo', 'none'))).toMatch(/^1 .*`quarry change list` shows/s)
    expect(await told(change('watch', 'none'))).toMatch(/^1 .*`quarry change list` shows/s)
  })
})

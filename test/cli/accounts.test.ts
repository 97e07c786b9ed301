import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliOptions, newDataDirectory, runCli } from '../support/cli.ts'

let directory: ReturnType<typeof newDataDirectory>
beforeAll(() => {
  directory = newDataDirectory()
})
afterAll(() => directory.remove())

const quarry = (parameters: readonly string[], options?: CliOptions) =>
  runCli([...parameters, '--data', directory.data], options)

describe('quarry user', () => {
  it('refuses to list what is not there, and creates nothing', async () => {
    const result = await quarry(['user', 'list'])
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain(`The data directory ${directory.data} does not exist.`)
    expect(existsSync(directory.data)).toBe(false)
  })

  it('creates a user, and the data directory with it', async () => {
    const result = await quarry(['user', 'create', 'ada', '--email', 'ada@lab.org', '--password-stdin', '--json'], {
      input: 'correct horse\n',
    })
    const told = `There was no data in ${directory.data}: a new database was made there.\n`
    expect(result).toMatchObject({ exitCode: 0, stderr: told })
    expect(JSON.parse(result.stdout)).toMatchObject({ name: 'ada', email: 'ada@lab.org', disabledAt: null })
  })

  it('refuses a name that is taken', async () => {
    const result = await quarry(['user', 'create', 'Ada', '--password-stdin'], { input: 'correct horse\n' })
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('The name "Ada" is taken')
  })

  it.each([
    ['too short', 'short\n', 'this one has 5'],
    ['not there', '', 'this one has 0'],
    ['common', 'Password1234\n', 'guessed first'],
    ['the name of the user', 'bob-bob-bob-1\n', 'the name or the e-mail address'],
  ])('refuses a password that is %s', async (_what, input, message) => {
    const result = await quarry(['user', 'create', 'bob', '--password-stdin'], { input })
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain(message)
  })

  it('wants to be told where the password comes from', async () => {
    const result = await quarry(['user', 'create', 'bob'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('--password-stdin')
  })

  it('takes the first line of stdin as the password, whatever ends it', async () => {
    expect(
      (await quarry(['user', 'create', 'crlf', '--password-stdin'], { input: 'correct horse\r\nmore' })).exitCode,
    ).toBe(0)
    expect((await quarry(['user', 'password', 'crlf', '--password-stdin'], { input: 'battery staple' })).exitCode).toBe(
      0,
    )
  })

  it('disables and enables, by name or e-mail', async () => {
    expect(await quarry(['user', 'disable', 'ada@lab.org'])).toMatchObject({
      exitCode: 0,
      stdout: 'disabled user ada\n',
    })
    const [ada] = JSON.parse((await quarry(['user', 'list', '--json'])).stdout) as { disabledAt: string }[]
    expect(ada?.disabledAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(await quarry(['user', 'enable', 'ada'])).toMatchObject({ exitCode: 0, stdout: 'enabled user ada\n' })
  })

  it('lists users as a table for people', async () => {
    const { stdout } = await quarry(['user', 'list'])
    expect(stdout.split('\n')[0]).toBe('NAME  E-MAIL       CREATED               DISABLED')
    expect(stdout).toContain('ada   ada@lab.org')
  })

  it('says when there is no such user', async () => {
    const result = await quarry(['user', 'disable', 'nobody'])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('There is no user "nobody".')
  })
})

describe('quarry organization', () => {
  it('creates an organization of a user', async () => {
    const made = await quarry([
      'organization',
      'create',
      'lab',
      '--owner',
      'ada',
      '--email',
      'lab@example.org',
      '--json',
    ])
    expect(made).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ name: 'lab', email: 'lab@example.org' })
    const taken = await quarry(['organization', 'create', 'CRLF', '--owner', 'ada'])
    expect(taken).toMatchObject({ exitCode: 1, stdout: '' })
    expect((await quarry(['organization', 'list'])).stdout).toMatch(
      /^ID +NAME +TITLE +E-MAIL +CREATED\n\w{17} {2}lab +lab@example\.org/,
    )
  })

  it('says what people call it, and what it is for', async () => {
    const change = (...flags: readonly string[]) => quarry(['organization', 'change', 'LAB', ...flags])
    const told = async () => JSON.parse((await quarry(['organization', 'list', '--json'])).stdout)[0]
    expect((await change('--title', 'Surface Lab 2')).stdout).toBe('changed organization lab\n')
    expect((await quarry(['organization', 'list'])).stdout).toContain('  lab   Surface Lab 2  lab@example.org')
    const described = JSON.parse((await change('--description', 'Slabs', '--json')).stdout)
    expect(described).toMatchObject({ title: 'Surface Lab 2', description: 'Slabs' })
    expect(await told()).toEqual(described)
    await change('--title', '', '--description', '')
    expect(await told()).toMatchObject({ title: null, description: null })
    expect(await change()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Give --title or') })
    expect((await change('--title', 'x'.repeat(101))).stderr).toContain('1 to 100 characters')
    const titled = ['organization', 'create', 'titled', '--owner', 'ada', '--title', 'With a title', '--json']
    expect(JSON.parse((await quarry(titled)).stdout)).toMatchObject({ title: 'With a title', description: null })
    await quarry(['organization', 'delete', 'titled'])
  })

  const members = async () => JSON.parse((await quarry(['organization', 'members', 'lab', '--json'])).stdout)

  it('takes members in and passes the ownership on', async () => {
    expect((await quarry(['organization', 'add', 'LAB', 'crlf', '--role', 'administrator'])).exitCode).toBe(0)
    expect((await quarry(['organization', 'transfer', 'lab', 'crlf'])).stdout).toBe('crlf is owner of lab\n')
    expect(await members()).toMatchObject([
      { name: 'crlf', role: 'owner' },
      { name: 'ada', role: 'administrator' },
    ])
  })

  it('lets members go, but not the owner', async () => {
    expect((await quarry(['organization', 'remove', 'lab', 'crlf'])).stderr).toContain('an account always has an owner')
    expect((await quarry(['organization', 'remove', 'lab', 'ada@lab.org'])).stdout).toBe('removed ada from lab\n')
    expect(await members()).toHaveLength(1)
  })

  it('is where a token can be kept to', async () => {
    const [lab] = JSON.parse((await quarry(['organization', 'list', '--json'])).stdout)
    const made = await quarry(['token', 'create', '--user', 'crlf', '--account', 'lab', '--json'])
    expect(JSON.parse(made.stdout)['X-Account-Id']).toBe(lab._id)
    const [token] = JSON.parse((await quarry(['token', 'list', '--user', 'crlf', '--json'])).stdout)
    expect(token).toMatchObject({ accountId: lab._id, oneAccount: true })
    expect((await quarry(['token', 'revoke', token._id])).exitCode).toBe(0)
  })

  it('is where only members can have a token', async () => {
    expect((await quarry(['token', 'create', '--user', 'ada', '--account', 'lab'])).exitCode).toBe(1)
    expect((await quarry(['token', 'create', '--user', 'ada', '--account', 'none'])).stderr).toContain(
      'no account "none"',
    )
  })

  it('is deleted, and then there is none', async () => {
    expect((await quarry(['organization', 'delete', 'lab'])).stdout).toBe('deleted organization lab\n')
    expect((await quarry(['organization', 'list'])).stderr).toBe('There are no organizations.\n')
    expect((await quarry(['organization', 'delete', 'ada'])).stderr).toContain('There is no organization "ada".')
  })
})

describe('quarry token', () => {
  it('prints the headers once, for people and for programs', async () => {
    const forPeople = await quarry(['token', 'create', '--user', 'ada', '--expires', '90d'])
    expect(forPeople.stdout).toMatch(/^X-Account-Id: \w{17}\nX-Auth-Token: [\w-]{43}\n$/)
    expect(forPeople.stderr).toContain('It is not shown again.')
    const forPrograms = await quarry(['token', 'create', '--user', 'ada', '--name', 'ci', '--read-only', '--json'])
    expect(Object.keys(JSON.parse(forPrograms.stdout))).toEqual(['X-Account-Id', 'X-Auth-Token'])
  })

  it('lists tokens without their secrets', async () => {
    const tokens = JSON.parse((await quarry(['token', 'list', '--user', 'ada', '--json'])).stdout)
    expect(tokens).toMatchObject([
      { name: 'command line', kind: 'api', readOnly: false, expiresAt: expect.stringMatching(/Z$/) },
      { name: 'ci', kind: 'api', readOnly: true, expiresAt: null },
    ])
    expect(Object.keys(tokens[0])).not.toContain('hash')
    expect((await quarry(['token', 'list', '--user', 'crlf'])).stderr).toBe('crlf has no tokens.\n')
  })

  it('revokes a token by its id, and says when there is none', async () => {
    const [token] = JSON.parse((await quarry(['token', 'list', '--user', 'ada', '--json'])).stdout)
    expect(await quarry(['token', 'revoke', token._id])).toMatchObject({ exitCode: 0 })
    const again = await quarry(['token', 'revoke', token._id])
    expect(again).toMatchObject({ exitCode: 1, stdout: '' })
    expect(again.stderr).toContain(`There is no token "${token._id}".`)
  })

  it.each(['90', 'soon', '1.5d', '-1d'])('refuses %j as a time', async (time) => {
    const result = await quarry(['token', 'create', '--user', 'ada', '--expires', time])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('90d, 12w, 1y')
  })

  it('refuses a time that is too long', async () => {
    const result = await quarry(['token', 'create', '--user', 'ada', '--expires', '99y'])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('from 1 to 3650')
  })
})

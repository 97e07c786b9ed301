import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { loadConfig, readConfig } from '../../src/app/config.ts'
import { type Config, flagOf, SETTING_NAMES, SETTINGS, variableOf } from '../../src/app/settings.ts'
import type { JsonObject } from '../../src/kernel/json.ts'

const file = (content: JsonObject) => ({ path: '/data/quarry.json', content })

describe('a setting', () => {
  it('has its default when nobody says otherwise', () => {
    const config = readConfig({}, {}, null)
    for (const name of SETTING_NAMES) expect(config[name], name).toBe(SETTINGS[name].default)
  })

  it('comes from the flag before the environment before the file', () => {
    expect(readConfig({ port: '1' }, { QUARRY_PORT: '2' }, file({ port: 3 })).port).toBe(1)
    expect(readConfig({}, { QUARRY_PORT: '2' }, file({ port: 3 })).port).toBe(2)
    expect(readConfig({}, {}, file({ port: 3 })).port).toBe(3)
  })

  it('has one flag and one variable of its own', () => {
    expect(new Set(SETTING_NAMES.map(flagOf)).size).toBe(SETTING_NAMES.length)
    expect(new Set(SETTING_NAMES.map(variableOf)).size).toBe(SETTING_NAMES.length)
    expect([flagOf('timeBudgetMs'), variableOf('timeBudgetMs')]).toEqual(['--time-budget-ms', 'QUARRY_TIME_BUDGET_MS'])
    expect(flagOf('samples')).toBe('--no-samples')
  })

  it('has a default within its own bounds', () => {
    const defaults = Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default]))
    const { data: _flagOnly, ...content } = defaults
    expect(() => readConfig({}, {}, file(content))).not.toThrow()
  })

  it('has the type of its values', () => {
    expectTypeOf<Config['port']>().toEqualTypeOf<number>()
    expectTypeOf<Config['samples']>().toEqualTypeOf<boolean>()
    expectTypeOf<Config['host']>().toEqualTypeOf<string>()
    expectTypeOf<Config['logLevel']>().toEqualTypeOf<'silent' | 'error' | 'warn' | 'info' | 'debug'>()
  })
})

describe('a secret', () => {
  it('is shown in no refusal, and a bucket needs one', () => {
    const key = { filesBucketKeyId: 'id', filesBucketSecret: ['Zq-secret'] }
    expect(() => readConfig({}, {}, file(key))).toThrow('The setting filesBucketSecret is something else')
    expect(() => readConfig({}, {}, file(key))).not.toThrow('Zq-')
    const bucket = { QUARRY_FILES_BUCKET: 'https://s3.lab.example/quarry' }
    expect(() => readConfig({}, bucket, null)).toThrow('QUARRY_FILES_BUCKET_KEY_ID and QUARRY_FILES_BUCKET_SECRET')
    const whole = { ...bucket, QUARRY_FILES_BUCKET_KEY_ID: 'id', QUARRY_FILES_BUCKET_SECRET: 'Zq-secret' }
    expect(readConfig({}, whole, null).filesBucketSecret).toBe('Zq-secret')
    expect(() =>
      readConfig({}, { ...whole, QUARRY_FILES_BUCKET: 'https://id:Zq@s3.lab.example/quarry' }, null),
    ).toThrow('an address such as')
  })
})

describe('a number that need not be whole', () => {
  it.each([
    ['0.03', 0.03],
    ['.1', 0.1],
  ])('is read from %j', (text, value) => {
    expect(readConfig({}, { QUARRY_SYMMETRY_TOLERANCE: text }, null)).toMatchObject({ symmetryTolerance: value })
  })

  it.each(['', '.', '0,01', '1e-2', '0.00001'])('is not read from %j', (text) => {
    expect(() => readConfig({}, { QUARRY_SYMMETRY_TOLERANCE: text }, null)).toThrow('a number from 0.0001 to 0.3')
  })
})

describe('a value that cannot be', () => {
  it.each([
    ['abc', {}, 'the environment, QUARRY_PORT'],
    ['70000', {}, 'an integer from 0 to 65535'],
    ['-1', {}, 'an integer from 0 to 65535'],
    ['', {}, 'an integer from 0 to 65535'],
    ['1e3', {}, 'an integer from 0 to 65535'],
    ['0x50', {}, 'an integer from 0 to 65535'],
  ])('%j for the port is refused, with the place and the bounds', (value, flags, part) => {
    expect(() => readConfig(flags, { QUARRY_PORT: value }, null)).toThrow(part)
  })

  it.each([
    [{ port: '3000' }, 'The setting port is "3000" (from /data/quarry.json)'],
    [{ samples: 'yes' }, 'true or false'],
    [{ logLevel: 'loud' }, 'one of silent, error, warn, info, debug'],
    [{ host: '' }, 'a text that is not empty'],
    [{ publicUrl: 'lab.example/quarry' }, 'an address such as https://lab.example/quarry'],
    [{ publicUrl: 'ftp://lab.example' }, 'an address such as'],
    [{ publicUrl: 'https://lab.example/?a=1' }, 'an address such as'],
    [{ publicUrl: 'https://ada:secret@lab.example/' }, 'an address such as'],
    [{ publicUrl: 'https://lab.example//quarry' }, 'an address such as'],
    [{ databaseUrl: 'mysql://lab.example/quarry' }, 'the address of a PostgreSQL database'],
    [{ databaseUrl: 'lab.example/quarry' }, 'the address of a PostgreSQL database'],
    [
      { symmetryTolerance: 0.5 },
      'symmetryTolerance is 0.5 (from /data/quarry.json): it must be a number from 0.0001 to 0.3',
    ],
    [{ symmetryTolerance: '0.1' }, 'a number from 0.0001 to 0.3'],
    [{ host: null }, 'a text that is not empty'],
    [{ data: '/elsewhere' }, 'cannot be in /data/quarry.json; give it as --data or QUARRY_DATA'],
    [{ prot: 3000 }, 'has the unknown setting "prot". Did you mean port?'],
    [JSON.parse('{"__proto__": {"port": 1}}') as JsonObject, 'unknown setting "__proto__"'],
    [{ constructor: 1 }, 'unknown setting "constructor"'],
  ])('%j in the file is refused', (content, message) => {
    expect(() => readConfig({}, {}, file(content as JsonObject))).toThrow(message)
  })

  it('in a variable without a setting is refused with the nearest one', () => {
    expect(() => readConfig({}, { QUARRY_PROT: '1' }, null)).toThrow(
      'QUARRY_PROT is no setting. Did you mean QUARRY_PORT?',
    )
  })

  it('is refused when it contradicts another', () => {
    expect(() => readConfig({ urlLimit: '300000' }, {}, null)).toThrow('must be below headerLimit (262144)')
    expect(readConfig({ urlLimit: '300000', headerLimit: '400000' }, {}, null).urlLimit).toBe(300_000)
  })

  it('is named together with all the others', () => {
    const refusal = catchError(() => readConfig({ port: 'x' }, { QUARRY_HOSTS: 'y' }, file({ queryDepth: 0 })))
    expect(refusal.message.split('\n')).toHaveLength(3)
    expect(refusal).toMatchObject({ code: 40080 })
  })
})

describe('the configuration file', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quarry-config-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('is quarry.json in the data directory', () => {
    writeFileSync(join(directory, 'quarry.json'), '{"port": 4000}')
    expect(loadConfig({ data: directory }, {})).toMatchObject({ port: 4000, data: directory })
    expect(loadConfig({}, { QUARRY_DATA: directory }).port).toBe(4000)
  })

  it('may be missing when it is not named', () => {
    expect(loadConfig({ data: directory }, {}).port).toBe(3000)
  })

  it('is the named one when there is a name, and must then exist', () => {
    const path = join(directory, 'other.json')
    expect(() => loadConfig({ data: directory, config: path }, {})).toThrow('does not exist')
    writeFileSync(path, '{"port": 5000}')
    expect(loadConfig({ data: directory, config: path }, {}).port).toBe(5000)
    expect(loadConfig({ data: directory }, { QUARRY_CONFIG: path }).port).toBe(5000)
  })

  it.each(['[1]', '{', '"text"', ''])('is refused when it is %j', (text) => {
    writeFileSync(join(directory, 'quarry.json'), text)
    expect(() => loadConfig({ data: directory }, {})).toThrow(join(directory, 'quarry.json'))
  })
})

function catchError(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

describe('the address of a database', () => {
  it.each(['postgres://quarry@db.lab.example/quarry', 'postgresql://%2Frun%2Fpostgresql/quarry?user=a', ''])(
    '%j is kept as it is',
    (databaseUrl) => {
      expect(readConfig({ databaseUrl }, {}, null).databaseUrl).toBe(databaseUrl)
    },
  )

  it('is not shown when it is wrong: it may have a password', () => {
    const refusal = catchError(() => readConfig({}, { QUARRY_DATABASE_URL: 'http://a:secret@lab.example' }, null))
    expect(refusal.message).toContain('QUARRY_DATABASE_URL')
    expect(refusal.message).not.toContain('secret')
  })
})

describe('the public address', () => {
  it.each([
    ['https://Lab.example/quarry/', 'https://lab.example/quarry'],
    ['https://lab.example', 'https://lab.example'],
    ['http://lab.example:8080/', 'http://lab.example:8080'],
    ['', ''],
  ])('%j is kept as %j', (given, kept) => {
    expect(readConfig({ publicUrl: given }, {}, null).publicUrl).toBe(kept)
  })
})

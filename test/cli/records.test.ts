import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliOptions, newDataDirectory, runCli, startCli } from '../support/cli.ts'
import { triesOf } from '../support/study.ts'

const SILICON = {
  name: 'silicon',
  basis: {
    elements: [
      { id: 0, value: 'Si' },
      { id: 1, value: 'Si' },
    ],
    coordinates: [
      { id: 0, value: [0, 0, 0] },
      { id: 1, value: [0.25, 0.25, 0.25] },
    ],
    units: 'crystal',
  },
  lattice: {
    type: 'FCC',
    a: 3.867,
    b: 3.867,
    c: 3.867,
    alpha: 60,
    beta: 60,
    gamma: 60,
    units: { length: 'angstrom', angle: 'degree' },
  },
}
const METHOD = { type: 'pseudopotential', subtype: 'us', name: 'ultra-soft' }
const NDJSON = `${JSON.stringify(SILICON)}\n${JSON.stringify(METHOD)}\n`

let directory: ReturnType<typeof newDataDirectory>
let file: (name: string, content: string | Buffer) => string
beforeEach(async () => {
  directory = newDataDirectory()
  file = (name, content) => {
    const path = join(dirname(directory.data), name)
    writeFileSync(path, content)
    return path
  }
  await quarry(['user', 'create', 'ada', '--password-stdin'], { input: 'correct horse' })
})
afterEach(() => directory.remove())

const quarry = (parameters: readonly string[], options?: CliOptions) =>
  runCli([...parameters, '--data', directory.data], options)
const asAda = (parameters: readonly string[], options?: CliOptions) => quarry([...parameters, '--user', 'ada'], options)
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('quarry import', () => {
  it('finds the symmetry of all structures, however many there are', async () => {
    const { lattice } = SILICON
    const count = triesOf('commands')
    const many = Array.from({ length: count }, (_, n) => ({
      ...SILICON,
      lattice: { ...lattice, a: 3.867 + n / 10_000, b: 3.867 + n / 10_000, c: 3.867 + n / 10_000 },
    }))
    const path = file('many.ndjson', many.map((record) => `${JSON.stringify(record)}\n`).join(''))
    expect((await asAda(['import', path])).stdout).toBe(`${count} stored, 0 skipped, 0 refused\n`)
    const found = await quarry(['export', '--query', '{"spaceGroup.number":227}'])
    expect(linesOf(found.stdout)).toHaveLength(count)
  })

  it('makes of a record with the same key what the file says, and takes no key of structure files', async () => {
    const line = (value: number) => file('keyed.ndjson', JSON.stringify({ ...METHOD, task: 't1', value }))
    const keyed = ['--kind', 'methods', '--key', 'task']
    expect((await asAda(['import', line(1), ...keyed])).stdout).toContain('1 stored, 0 skipped, 0 refused')
    expect((await asAda(['import', line(2), ...keyed])).stdout).toContain('0 stored, 1 updated, 0 skipped, 0 refused')
    const { exitCode, stderr } = await asAda(['import', file('si.cif', 'data_si'), '--key', 'task'])
    expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('could be a key')])
    expect(exitCode).not.toBe(0)
  })

  it('counts what it leaves without symmetry, which recompute finds', async () => {
    const path = file('records.ndjson', NDJSON)
    expect((await asAda(['import', path, '--no-symmetry'])).stdout).toBe(
      '2 stored (1 of them without symmetry), 0 skipped, 0 refused\n',
    )
    expect((await quarry(['recompute', '--missing'])).stdout).toBe('2 records looked at, 1 changed\n')
    const found = await quarry(['export', '--query', '{"spaceGroup.number":227}'])
    expect(linesOf(found.stdout)).toHaveLength(1)
    expect(linesOf((await quarry(['recompute', '--json', '--kind', 'materials'])).stdout)).toEqual([
      { seen: 1, changed: 0, failed: 0, withoutSymmetry: 0 },
    ])
  })

  it('stores records, tells their kind, and gives them back by export', async () => {
    const result = await asAda(['import', file('records.ndjson', NDJSON)])
    expect(result).toEqual({ exitCode: 0, stdout: '2 stored, 0 skipped, 0 refused\n', stderr: '' })
    const exported = linesOf((await quarry(['export'])).stdout)
    expect(exported).toMatchObject([
      { ...SILICON, formula: 'Si', owner: { slug: 'ada' } },
      { ...METHOD, owner: { slug: 'ada' } },
    ])
  })

  it('can be run again: nothing is stored twice', async () => {
    const path = file('records.ndjson', NDJSON)
    await asAda(['import', path])
    const again = await asAda(['import', path])
    expect(again).toMatchObject({ exitCode: 0, stdout: '0 stored, 2 skipped, 0 refused\n' })
  })

  it('takes what export gave, into another account, with nothing lost', async () => {
    await asAda(['import', file('records.ndjson', NDJSON)])
    const exported = (await quarry(['export'])).stdout
    const other = newDataDirectory()
    await runCli(['user', 'create', 'ada', '--password-stdin', '--data', other.data], { input: 'correct horse' })
    const result = await runCli(['import', '-', '--user', 'ada', '--data', other.data], { input: exported })
    const back = await runCli(['export', '--data', other.data])
    other.remove()
    expect(result.stdout).toBe('2 stored, 0 skipped, 0 refused\n')
    const content = (records: readonly Record<string, unknown>[]) =>
      records.map(({ owner: _owner, creator: _creator, updatedAt: _updatedAt, ...rest }) => rest)
    expect(content(linesOf(back.stdout))).toEqual(content(linesOf(exported)))
  })

  it.each([
    ['a JSON array', (text: string) => `[${text.trimEnd().split('\n').join(',')}]`],
    ['one indented object', () => JSON.stringify(SILICON, null, 2)],
    ['stdin', (text: string) => text],
  ])('reads %s', async (what, write) => {
    const content = write(NDJSON)
    const source = what === 'stdin' ? '-' : file('records.json', content)
    const result = await asAda(['import', source], { input: content })
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(result.stdout).toMatch(/^[12] stored, 0 skipped, 0 refused\n$/)
  })

  it('unpacks .gz', async () => {
    expect((await asAda(['import', file('records.ndjson.gz', gzipSync(NDJSON))])).stdout).toContain('2 stored')
  })

  it('names each refused record with its line and goes on', async () => {
    const text = `{"type":"a"}\n${JSON.stringify(METHOD)}\nnot JSON\n{"type":"pseudopotential","subtype":7}\n`
    const path = file('mixed.ndjson', text)
    const result = await asAda(['import', path])
    expect(result.exitCode).toBe(1)
    const lines = result.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(new RegExp(`^${path}:1: `))
    expect(lines[1]).toMatch(new RegExp(`^${path}:3: `))
    expect(lines[2]).toMatch(new RegExp(`^${path}:4: `))
    expect(lines[3]).toBe('1 stored, 0 skipped, 3 refused')
  })

  it('reports every record as JSON, and the totals last', async () => {
    const path = file('mixed.ndjson', `${NDJSON}nonsense\n`)
    const report = linesOf((await asAda(['import', path, '--json'])).stdout)
    expect(report).toMatchObject([
      { file: path, line: 1, outcome: 'stored', collection: 'materials' },
      { file: path, line: 2, outcome: 'stored', collection: 'methods' },
      { file: path, line: 3, outcome: 'refused', error: { code: 40053 } },
      { stored: 2, skipped: 0, refused: 1 },
    ])
  })

  it('makes records public on demand', async () => {
    await asAda(['import', file('records.ndjson', NDJSON), '--public'])
    await quarry(['user', 'create', 'bob', '--password-stdin'], { input: 'correct horse' })
    expect(linesOf((await quarry(['export', '--user', 'bob'])).stdout)).toHaveLength(2)
  })

  it('goes on with the next file when one is broken in the middle', async () => {
    const cut = gzipSync(NDJSON.repeat(50)).subarray(0, 60)
    const result = await asAda(['import', file('cut.ndjson.gz', cut), file('records.ndjson', NDJSON)])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('cut.ndjson.gz cannot be read to its end')
    expect(result.stdout).toMatch(/ 0 refused\n$/)
    expect(linesOf((await quarry(['export'])).stdout).length).toBeGreaterThanOrEqual(2)
  })

  it('does nothing when one of the files is not there', async () => {
    const result = await asAda(['import', file('records.ndjson', NDJSON), '/nowhere.json'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('/nowhere.json')
    expect((await quarry(['export'])).stdout).toBe('')
  })

  it('says at Ctrl-C what it has stored, and goes on when it is run again', async () => {
    const { lattice } = SILICON
    const many = Array.from({ length: 3000 }, (_, n) => ({ ...SILICON, lattice: { ...lattice, a: 3 + n / 1000 } }))
    const path = file('many.ndjson', many.map((one) => JSON.stringify(one)).join('\n'))
    const parameters = ['import', path, '--user', 'ada', '--json', '--no-symmetry', '--data', directory.data]
    const child = startCli(parameters)
    let [told, errors] = ['', '']
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.stdout.on('data', (chunk) => {
      told += chunk
    })
    child.stdout.once('data', () => child.kill('SIGINT'))
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130)
    const { outcome, stored } = linesOf(told).at(-1)
    expect([outcome, stored > 0, stored < many.length]).toEqual(['interrupted', true, true])
    expect(errors).toBe('Run the same again to go on.\n')
    const { stored: later, skipped } = linesOf((await runCli(parameters)).stdout).at(-1)
    expect([later + skipped, skipped >= stored]).toEqual([many.length, true])
  })

  it('refuses a user that is not there', async () => {
    const result = await quarry(['import', '-', '--user', 'nobody'])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('There is no user "nobody".')
  })
})

describe('quarry export', () => {
  beforeEach(async () => {
    await asAda(['import', file('records.ndjson', NDJSON)])
  })

  it('selects by kind and by query', async () => {
    expect(linesOf((await quarry(['export', '--kind', 'methods'])).stdout)).toMatchObject([METHOD])
    expect(linesOf((await quarry(['export', '--query', '{"formula":"Si"}'])).stdout)).toMatchObject([SILICON])
    expect((await quarry(['export', '--query', '{"formula":"Ge"}'])).stdout).toBe('')
  })

  it('shows a user nothing of others', async () => {
    await quarry(['user', 'create', 'bob', '--password-stdin'], { input: 'correct horse' })
    expect((await quarry(['export', '--user', 'bob'])).stdout).toBe('')
    expect(linesOf((await quarry(['export', '--user', 'ada'])).stdout)).toHaveLength(2)
  })

  it('writes files, compressed when the name says so', async () => {
    const plain = file('out.ndjson', 'old')
    const packed = join(dirname(directory.data), 'out.ndjson.gz')
    expect((await quarry(['export', '-o', plain])).stderr).toBe(`exported 2 records to ${plain}\n`)
    await quarry(['export', '-o', packed])
    expect(linesOf(readFileSync(plain, 'utf8'))).toHaveLength(2)
    expect(gunzipSync(readFileSync(packed)).toString()).toBe(readFileSync(plain, 'utf8'))
  })

  it('says where it cannot write', async () => {
    const result = await quarry(['export', '-o', '/nowhere/out.ndjson'])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('/nowhere/out.ndjson cannot be written')
  })

  it.each([
    ['{"a":{"$gtt":1}}', '$gtt'],
    ['{a:1}', '--query'],
    ['[]', '--query'],
  ])('refuses the query %s', async (query, part) => {
    const result = await quarry(['export', '--query', query])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(part)
  })

  it('ends quietly when its reader has seen enough', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => JSON.stringify({ ...METHOD, name: `${index}`.repeat(20) }))
    await asAda(['import', file('many.ndjson', many.join('\n'))])
    const child = startCli(['export', '--data', directory.data])
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.stdout.once('data', () => child.stdout.destroy())
    const exitCode = await new Promise((resolve) => child.on('close', resolve))
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
  })
})

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'

const POSCAR = 'Silicon\n1\n0 2.734 2.734\n2.734 0 2.734\n2.734 2.734 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'
const XYZ = '2\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3\nCs 0 0 0\nCl 2 2 2\n'
const PYMATGEN = JSON.stringify({
  '@class': 'Structure',
  lattice: {
    matrix: [
      [3, 0, 0],
      [0, 3, 0],
      [0, 0, 3],
    ],
  },
  sites: [{ species: [{ element: 'Po', occu: 1 }], abc: [0, 0, 0] }],
})

let directory: ReturnType<typeof newDataDirectory>
let place: string
beforeEach(() => {
  directory = newDataDirectory()
  place = join(dirname(directory.data), 'files')
  mkdirSync(place)
})
afterEach(() => directory.remove())

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(place, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('archives', () => {
  const tar = (entries: Readonly<Record<string, string>>): Buffer =>
    Buffer.concat([
      ...Object.entries(entries).flatMap(([name, text]) => {
        const header = Buffer.alloc(512)
        header.write(name, 0)
        header.write('0000644\x000000000\x000000000\0', 100)
        header.write(`${text.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        0`, 124)
        header.write('ustar\u000000', 257)
        const sum = header.reduce((total, byte) => total + byte, 0)
        header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
        return [header, Buffer.concat([Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)])]
      }),
      Buffer.alloc(1024),
    ])

  it('are read as their files, by convert and analyze', async () => {
    const packed = file('all.tar.gz', gzipSync(tar({ 'a/si.vasp': POSCAR, 'cscl.xyz': XYZ })))
    const broken = file('broken.zip', 'PK')
    const { exitCode, stdout } = await runCli(['convert', packed, broken, '--to', 'material'], { directory: place })
    expect(exitCode).toBe(1)
    expect(linesOf(stdout)).toMatchObject([
      { file: `${packed}/a/si.vasp`, ok: true, format: 'poscar' },
      { file: `${packed}/cscl.xyz`, ok: true, format: 'xyz' },
      { file: broken, ok: false, error: { message: expect.stringContaining('damaged') } },
    ])
    const folder = join(place, 'written')
    expect((await runCli(['convert', packed, '--to', 'cif', '-o', folder], { directory: place })).exitCode).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual(['cscl.cif', 'si.cif'])
    const analyzed = await runCli(['analyze', packed, '--json'], { directory: place })
    expect(linesOf(analyzed.stdout)).toMatchObject([{ formula: 'Si' }, { formula: 'CsCl' }])
  })
})

describe('quarry convert', () => {
  it('gives one JSON line for each file, also for those that cannot be read, and needs no data directory', async () => {
    const good = file('si.vasp', POSCAR)
    const bad = file('bad.vasp', POSCAR.replace('0.25 0.25 0.25', '0.25 oops 0.25'))
    const missing = join(place, 'missing.cif')
    const packed = file('cscl.xyz.gz', gzipSync(XYZ))
    const { exitCode, stdout, stderr } = await runCli(
      ['convert', good, bad, missing, place, packed, '--to', 'material'],
      {
        directory: place,
      },
    )
    expect(exitCode).toBe(1)
    expect(stderr).toBe('')
    expect(linesOf(stdout)).toMatchObject([
      { file: good, ok: true, format: 'poscar', material: { name: 'Silicon', lattice: { type: 'FCC' } }, warnings: [] },
      { file: bad, ok: false, error: { line: 10, message: expect.stringContaining('oops') } },
      { file: missing, ok: false, error: { message: expect.stringContaining('does not exist') } },
      { file: place, ok: false, error: { message: expect.stringContaining('directory') } },
      { file: packed, ok: true, format: 'xyz', material: { basis: { elements: [{ value: 'Cs' }, { value: 'Cl' }] } } },
    ])
    expect(existsSync(join(place, 'data'))).toBe(false)
  })

  it('writes any format to stdout, a file or a directory, where no file takes the place of another', async () => {
    const one = file('a/POSCAR', POSCAR)
    const other = file('b/POSCAR', POSCAR)
    const out = join(place, 'out')
    expect((await runCli(['convert', one, '--to', 'cif'])).stdout).toMatch(/_cell_length_a/)
    expect((await runCli(['convert', '-', '--to', 'extxyz'], { input: POSCAR })).stdout).toMatch(/^2\nLattice=/)
    expect((await runCli(['convert', one, '--to', 'qe', '-o', join(place, 'si.in')])).exitCode).toBe(0)
    expect(readFileSync(join(place, 'si.in'), 'utf8')).toMatch(/ATOMIC_POSITIONS/)
    expect((await runCli(['convert', one, other, '--to', 'cif', '-o', out])).exitCode).toBe(0)
    expect(readdirSync(out).sort()).toEqual(['POSCAR-2.cif', 'POSCAR.cif'])
  })

  it('writes a CIF with the symmetry of the crystal, or with all atoms as they are', async () => {
    const one = file('POSCAR', POSCAR)
    expect((await runCli(['convert', one, '--to', 'cif'])).stdout).toContain("_space_group_name_H-M_alt 'F d -3 m :1'")
    expect((await runCli(['convert', one, '--to', 'cif', '--symmetry', 'none'])).stdout).toContain("'P 1'")
    expect((await runCli(['convert', one, '--to', 'poscar', '--symmetry', 'none'])).exitCode).toBe(0)
    const refused = await runCli(['convert', one, '--to', 'poscar', '--symmetry', 'standard'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('POSCAR files cannot say symmetry') })
  })

  it('makes an ordered crystal of a disordered one as it is told', async () => {
    const alloy = new URL('../fixtures/disordered/alloy-shared-site.cif', import.meta.url).pathname
    const convert = (...flags: string[]) => runCli(['convert', alloy, '--to', 'poscar', ...flags])
    expect(await convert()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--ordered majority') })
    expect((await convert('--ordered', 'majority')).stdout).toMatch(/^.*the most frequent species.*\n[\s\S]*\nCu\n4\n/)
    const [one, again, other] = await Promise.all(
      ['7', '7', '8'].map((seed) => convert('--ordered', 'supercell', '--max-atoms', '40', '--seed', seed)),
    )
    expect(one?.stdout).toMatch(/^.*supercell 1x3x3, seed 7.*\n/)
    expect(again?.stdout).toBe(one?.stdout)
    expect(other?.stdout).not.toBe(one?.stdout)
    expect(await convert('--ordered', 'majority', '--seed', '7')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--seed: it goes with --ordered supercell only'),
    })
    expect((await convert('--ordered', 'supercell', '--max-atoms', '0')).stderr).toContain('from 1 to 10000')
  })

  it('writes the symmetry within the tolerance that is given', async () => {
    const off = file('off/POSCAR', POSCAR.replace('0.25 0.25 0.25', '0.25 0.25 0.255'))
    expect((await runCli(['convert', off, '--to', 'cif'])).stdout).not.toContain('F d -3 m')
    expect((await runCli(['convert', off, '--to', 'cif', '--tolerance', '0.1'])).stdout).toContain('F d -3 m')
  })

  it('takes the structure of a trajectory that is named, else the first with a warning', async () => {
    const steps = file('relaxation.xyz', `${XYZ}${XYZ.replace('Cs', 'K')}${XYZ.replace('Cs', 'Na')}`)
    const last = await runCli(['convert', steps, '--to', 'poscar', '--frame', '-1'])
    expect(last).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('\nNa Cl\n') })
    const first = await runCli(['convert', steps, '--to', 'poscar'])
    expect(first.stdout).toContain('\nCs Cl\n')
    expect(first.stderr).toContain('The file holds 3 structures; the first, frame 0, is taken. Frame -1 is the last.')
    expect(linesOf((await runCli(['analyze', steps, '--frame', '1', '--json'])).stdout)[0].formula).toBe('KCl')
    expect((await runCli(['convert', steps, '--to', 'cif', '--frame', 'last'])).stderr).toContain(
      'A frame is a whole number',
    )
    expect((await runCli(['convert', steps, '--to', 'cif', '--frame', '3'])).stderr).toContain('there is no frame 3')
    const all = await runCli(['convert', steps, '--to', 'cif', '--frame', 'all'])
    expect(all).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('All are for `quarry import --frame all`'),
    })
  })

  it('refuses what it cannot do before it has done anything', async () => {
    const one = file('a/POSCAR', POSCAR)
    expect(await runCli(['convert', one, '--to', 'pdb'])).toMatchObject({ exitCode: 2, stdout: '' })
    expect((await runCli(['convert', one, '--to', 'docx'])).stderr).toMatch(/no structure format/)
    expect(await runCli(['convert', one, one, '--to', 'cif'])).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('quarry analyze', () => {
  it('tells what a material would say, as JSON lines or as a table', async () => {
    const good = file('si.vasp', POSCAR)
    const bad = file('bad.cif', 'data_x\n')
    const { exitCode, stdout } = await runCli(['analyze', good, bad, '--json'])
    expect(exitCode).toBe(1)
    expect(linesOf(stdout)).toMatchObject([
      {
        file: good,
        ok: true,
        formula: 'Si',
        sites: 2,
        spaceGroup: { number: 227 },
        symmetry: { spaceGroupNumber: 227 },
      },
      { file: bad, ok: false },
    ])
    expect((await runCli(['analyze', good])).stdout).toMatch(/Si +2 +40\.872 Å³ +2\.282 g\/cm³ +Fd-3m \(227\)/)
    expect(linesOf((await runCli(['analyze', good, '--json', '--no-symmetry'])).stdout)[0].spaceGroup).toBeUndefined()
  })
})

describe('quarry import', () => {
  const quarry = (parameters: readonly string[]) => runCli([...parameters, '--data', directory.data])
  beforeEach(async () => {
    await runCli(['user', 'create', 'ada', '--password-stdin', '--data', directory.data], { input: 'correct horse' })
  })

  it('tells of each record and file what is odd about it, and stores it', async () => {
    const odd = JSON.parse((await runCli(['convert', file('po.json', PYMATGEN), '--to', 'material'])).stdout).material
    Object.assign(odd.lattice, { a: 335, b: 335, c: 335, vectors: undefined })
    const record = file('odd.ndjson', `${JSON.stringify(odd)}\n`)
    const large = POSCAR.replaceAll('2.734', '273.4')
    const structure = file('odd.vasp', large)
    const plain = await quarry(['import', record, structure, '--user', 'ada'])
    expect(plain).toMatchObject({ exitCode: 0, stdout: '2 stored, 0 skipped, 0 refused\n' })
    const [ofRecord, ofStructure, ...others] = plain.stderr.trimEnd().split('\n')
    expect(ofRecord).toMatch(/odd\.ndjson:1: warning: .*If they are in picometres, divide them by 100/)
    expect(ofStructure).toMatch(/odd\.vasp: warning: .*If they are in picometres, divide them by 100/)
    expect(others).toEqual([])
    const many = Array.from({ length: 5 }, (_, n) => file(`odd${n}.vasp`, `${n}${large.slice(7)}`))
    const counted = await quarry(['import', ...many, '--user', 'ada'])
    expect(counted.stderr.match(/warning: .*picometres/g)).toHaveLength(3)
    expect(counted.stderr).toMatch(/\nwarnings for 5 of them; .*--json prints all:\n {2}5 × .*picometres/)
    const again = await quarry(['import', file('other.vasp', `other${large.slice(7)}`), '--user', 'ada', '--json'])
    expect(linesOf(again.stdout)[0]).toMatchObject({ outcome: 'stored', warnings: [{ code: 20041 }] })
  })

  it('takes directories with files of all formats, and skips what is there when it is run again', async () => {
    file('one/POSCAR', POSCAR)
    file('two.xyz', XYZ)
    file('po.json', PYMATGEN)
    file('more.zip', zipSync({ 'in/zipped.vasp': Buffer.from(POSCAR.replace('Silicon', 'zipped')) }))
    file('records.ndjson', `${JSON.stringify({ type: 'pseudopotential', subtype: 'us' })}\n`)
    file('unnamed', POSCAR.replace('Silicon', 'no name tells'))
    file('notes.txt', 'Nothing to see here.\n')
    file('picture.png', Uint8Array.of(137, 80, 0, 71))
    file('.hidden.cif', 'x')
    const first = await quarry(['import', place, '--user', 'ada'])
    expect(first).toMatchObject({ exitCode: 0, stdout: '6 stored, 0 skipped, 0 refused\n' })
    expect(first.stderr.trimEnd().split('\n')).toEqual([
      `${join(place, '.hidden.cif')}: passed over, hidden: its name begins with a dot`,
      `${join(place, 'notes.txt')}: passed over, of no known format`,
      `${join(place, 'picture.png')}: passed over, of no known format`,
    ])
    expect((await quarry(['import', place, '--user', 'ada'])).stdout).toBe('0 stored, 6 skipped, 0 refused\n')
    const query = '{"spaceGroup.number":227}'
    const exported = linesOf((await quarry(['export', '--query', query])).stdout)
    expect(exported.map(({ name }) => name).sort()).toEqual(['Silicon', 'no name tells', 'zipped'])
  })

  it('names all that lies in a directory and is not read, a long list with its number', async () => {
    file('POSCAR', POSCAR)
    symlinkSync(join(place, 'gone.cif'), join(place, 'dangling.cif'))
    symlinkSync(join(place, 'POSCAR'), join(place, 'linked.vasp'))
    for (let count = 0; count < 25; count++) file(`note-${count}.txt`, 'Nothing.\n')
    const plain = await quarry(['import', place, '--user', 'ada', '--no-symmetry'])
    expect(plain).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^1 stored/) })
    const lines = plain.stderr.trimEnd().split('\n')
    expect(lines.slice(0, 2)).toEqual([
      `${join(place, 'dangling.cif')}: passed over, a link to nothing`,
      `${join(place, 'linked.vasp')}: passed over, a link, which is not followed: name it to import it`,
    ])
    expect([lines.length, lines.at(-1)]).toEqual([21, 'and 7 more were passed over, 27 in all; --json names each'])
    const { stdout } = await quarry(['import', place, '--user', 'ada', '--json'])
    const told = linesOf(stdout).filter(({ outcome }) => outcome === 'passed-over')
    expect([told.length, told[0]]).toEqual([
      27,
      { file: join(place, 'dangling.cif'), outcome: 'passed-over', reason: 'a link to nothing' },
    ])
  })

  it('stores all structures of a file as a set, and what is missing of it when it is run again', async () => {
    const steps = file('steps.xyz', `${XYZ}1\n\nJj 0 0 0\n${XYZ.replace('Cs', 'Na')}`)
    const single = file('single.xyz', XYZ.replace('Cs', 'Li'))
    const into = ['--user', 'ada', '--frame', 'all', '--no-symmetry']
    const wrong = await quarry(['import', steps, '--user', 'ada', '--frame', 'al'])
    expect([wrong.exitCode, wrong.stderr.includes('-1 is the last. Or all, as a set.')]).toEqual([2, true])
    const first = await quarry(['import', steps, single, ...into])
    expect(first).toMatchObject({
      exitCode: 1,
      stdout: `${steps}#1: Line 3: The species "Jj" is no chemical element. Use the symbol of an element, such as Si.\n4 stored (3 of them without symmetry), 0 skipped, 1 refused\n`,
    })
    const query = '{"inSet.slug":"steps-xyz"}'
    const members = linesOf((await quarry(['export', '--query', query])).stdout)
    expect(members.map(({ name, inSet }) => [name, inSet[0].index])).toEqual([
      ['CsCl #0', 0],
      ['NaCl #2', 2],
    ])
    const again = linesOf((await quarry(['import', steps, ...into, '--json'])).stdout)
    expect(again[0]).toMatchObject({ file: steps, frames: 3, outcome: 'skipped', _id: members[0].inSet[0]._id })
    expect(again[2]).toMatchObject({ file: steps, frame: 1, outcome: 'refused' })
    expect(again.at(-1)).toMatchObject({ stored: 0, skipped: 3, refused: 1 })
  })

  it('stores in an account of the user, the structure that is named, and content once where that is wanted', async () => {
    const one = file('one.xyz', `${XYZ}${XYZ.replace('Cs', 'K')}`)
    const again = file('again.vasp', 'K Cl\n1\n4 0 0\n0 4 0\n0 0 4\nK Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n')
    await quarry(['organization', 'create', 'lab', '--owner', 'ada'])
    const into = ['--user', 'ada', '--account', 'lab', '--no-symmetry']
    const stored = '1 stored (1 of them without symmetry), 0 skipped, 0 refused\n'
    expect((await quarry(['import', one, ...into, '--frame', '-1'])).stdout).toBe(stored)
    const [record] = linesOf((await quarry(['export'])).stdout)
    expect(record).toMatchObject({ formula: 'KCl', owner: { slug: 'lab' }, src: { frame: -1 } })
    const onDuplicate = (what: string) => quarry(['import', again, ...into, '--on-duplicate', what])
    expect((await onDuplicate('return')).stdout).toBe('0 stored, 1 skipped, 0 refused\n')
    const failed = await onDuplicate('fail')
    expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('0 stored, 0 skipped, 1 refused') })
    expect((await onDuplicate('create')).stdout).toBe(stored)
    expect((await onDuplicate('ask')).stderr).toContain('create, return, fail')
    const stranger = await quarry(['import', again, '--user', 'ada', '--account', 'other'])
    expect(stranger).toMatchObject({ exitCode: 1, stdout: '' })
    expect(stranger.stderr).toContain('ada does not belong to the account "other".')
  })

  it('skips the crystal that a file before has in another place, and names it', async () => {
    const salt = (x: number) => `K Cl\n1\n4 0 0\n0 4 0\n0 0 4\nK Cl\n1 1\nDirect\n${x} 0 0\n${x + 0.5} 0.5 0.5\n`
    const files = [file('first.vasp', salt(0)), file('shifted.vasp', salt(0.1))]
    const { stdout } = await quarry(['import', ...files, '--user', 'ada', '--skip-same', '--no-symmetry'])
    expect(stdout).toMatch(
      /^.*shifted.vasp: the same crystal as \S+, rms 0 Å, strain 0\n1 stored .* 1 skipped, 0 refused\n$/,
    )
  })

  it('reports on each file as JSON, goes on after a bad one, and leaves symmetry out when told to', async () => {
    const good = file('good.vasp', POSCAR)
    const bad = file('bad.vasp', 'nothing of the kind')
    const { exitCode, stdout } = await quarry(['import', bad, good, '--user', 'ada', '--json', '--no-symmetry'])
    expect(exitCode).toBe(1)
    expect(linesOf(stdout)).toMatchObject([
      { file: bad, outcome: 'refused', error: { message: expect.any(String) } },
      { file: good, outcome: 'stored', format: 'poscar' },
      { stored: 1, skipped: 0, refused: 1 },
    ])
    const [record] = linesOf((await quarry(['export'])).stdout)
    expect(record.spaceGroup).toBeUndefined()
    expect(record.consistencyChecks).toMatchObject([{ key: 'spaceGroup', severity: 'info' }])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { detectByName } from '../../src/structure/formats/detect.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { findFormat, STRUCTURE_FORMATS } from '../../src/structure/formats/registry.ts'
import { processorMs } from '../support/processor-time.ts'
import { anyCrystal } from './crystals.ts'

const SILICON: Crystal = {
  title: 'silicon',
  lattice: [
    [0, 2.7, 2.7],
    [2.7, 0, 2.7],
    [2.7, 2.7, 0],
  ],
  periodic: [true, true, true],
  sites: [
    { element: 'Si', fraction: [0, 0, 0] },
    { element: 'Si', fraction: [0.25, 0.25, 0.25] },
  ],
  warnings: [],
}

describe('the format of a file', () => {
  it.each([
    ['quartz.cif', 'cif'],
    ['POSCAR', 'poscar'],
    ['CONTCAR.relaxed', 'poscar'],
    ['si.poscar', 'poscar'],
    ['POSCAR_Si.vasp', 'poscar'],
    ['md.extxyz', 'xyz'],
    ['1ABC.pdb', 'pdb'],
    ['scf.in', 'espresso'],
    ['run/geometry.in', 'aims'],
    ['geo_end.gen', 'gen'],
    ['relax.FDF', 'siesta'],
    ['si.gin', 'gulp'],
    ['tbase1_1.abi', 'abinit'],
    ['si.inp', 'cp2k'],
    ['phonopy_disp.yaml', 'phonopy'],
    ['phono3py.yaml', 'phonopy'],
    ['si-1.restart', 'cp2k'],
    ['geometry.in.next_step', 'aims'],
    ['C:\\data\\Si.CIF', 'cif'],
    ['material.json', 'material'],
  ])('is told by the name %s', (name, format) => {
    expect(detectByName(name)?.name).toBe(format)
  })

  it.each(['notes.txt', 'README', '.', ''])('is not told by the name "%s"', (name) => {
    expect(detectByName(name)).toBeUndefined()
  })

  it('is told by the content where name and content disagree', () => {
    expect(readStructure(printStructure(SILICON, 'cif'), { fileName: 'POSCAR' }).format).toBe('cif')
    expect(readStructure(printStructure(SILICON, 'pymatgen'), { fileName: 'si.json' }).format).toBe('pymatgen')
  })

  it('is told where the sender names another one, by which the file cannot be read', () => {
    expect(() => readStructure(printStructure(SILICON, 'castep'), { format: 'poscar' })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^(?!.*looks.*looks).*\. It looks like CASTEP \.cell\.$/s),
        data: expect.objectContaining({ hint: 'Leave the format out, or name castep.' }),
      }),
    )
    expect(() => readStructure('no file of atoms\n', { format: 'poscar' })).toThrow(/^(?!.*looks like)/s)
  })

  it('may be named in any letter case, and by its other names', () => {
    expect(
      ['CIF', 'contcar', 'extxyz', 'qe', 'esse', 'constructor', '__proto__'].map((name) => findFormat(name)?.name),
    ).toEqual(['cif', 'poscar', 'xyz', 'espresso', 'material', undefined, undefined])
  })

  it('is refused when it is unknown, and all known ones are listed', () => {
    for (const attempt of [
      () => readStructure('hello world'),
      () => readStructure('x', { format: 'docx' }),
      () => printStructure(SILICON, 'docx'),
    ]) {
      expect(attempt).toThrow(expect.objectContaining({ code: 42226, message: expect.stringContaining('poscar') }))
    }
  })

  it('is refused for writing when it is only read', () => {
    expect(() => printStructure(SILICON, 'pdb')).toThrow(expect.objectContaining({ code: 42236 }))
  })

  it.each(STRUCTURE_FORMATS.map((format) => [format.name, format] as const))(
    '%s has a title and a reader',
    (_, format) => {
      expect(format.title).not.toBe('')
      expect(() => format.parse('', {})).toThrow(AppError)
    },
  )
})

describe('every reader', () => {
  it('refuses atoms at one place', () => {
    const doubled = { ...SILICON, sites: [...SILICON.sites, { element: 'Si', fraction: [1, 0, 0.001] as const }] }
    // These two list an atom of each orbit: one that is there twice is one atom, with a warning.
    const ofOrbits: readonly string[] = ['cif', 'res']
    for (const name of ofOrbits) {
      const { crystal } = readStructure(printStructure(doubled, name), { format: name })
      expect([crystal.sites.length, crystal.warnings.length > 0], name).toEqual([SILICON.sites.length, true])
    }
    for (const format of STRUCTURE_FORMATS.filter((one) => one.print !== undefined && !ofOrbits.includes(one.name))) {
      expect(() => readStructure(printStructure(doubled, format.name), { format: format.name })).toThrow(
        expect.objectContaining({ code: 42229 }),
      )
    }
  })

  it('refuses more text and more atoms than allowed', () => {
    for (const format of STRUCTURE_FORMATS.filter((one) => one.print !== undefined)) {
      const text = printStructure(SILICON, format.name)
      expect(() => readStructure(text, { limits: { textLength: 20, atoms: 100 } })).toThrow(
        expect.objectContaining({ code: 41310 }),
      )
      expect(() => readStructure(text, { format: format.name, limits: { textLength: 10_000, atoms: 1 } })).toThrow(
        expect.objectContaining({ code: 41311 }),
      )
    }
  })

  it('answers damaged files with a structure or a refusal, never with another error', () => {
    const written = STRUCTURE_FORMATS.filter((format) => format.print !== undefined).map((format) => format.name)
    const damage = fc.record({
      at: fc.nat(2000),
      length: fc.nat(40),
      put: fc.oneof(fc.string(), fc.constantFrom('\n', ' ', '{', "'", '"', ';', 'NaN', '1e999', '-', '__proto__', '?')),
    })
    fc.assert(
      fc.property(
        anyCrystal,
        fc.constantFrom(...written),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        (crystal, name, damages) => {
          let text = printStructure(crystal, name)
          for (const { at, length, put } of damages)
            text = text.slice(0, at % text.length) + put + text.slice((at % text.length) + length)
          for (const hints of [{ format: name }, {}]) {
            try {
              const { sites, lattice } = readStructure(text, hints).crystal
              expect(lattice.flat().every(Number.isFinite)).toBe(true)
              expect(sites.every((site) => site.fraction.every(Number.isFinite))).toBe(true)
            } catch (error) {
              expect(error).toBeInstanceOf(AppError)
            }
          }
        },
      ),
      { numRuns: 600 },
    )
  })

  it.each([
    ['empty lines', '\n'.repeat(2_000_000)],
    ['spaces', ' '.repeat(2_000_000)],
    ['a word', 'a'.repeat(2_000_000)],
    ['brackets', '['.repeat(2_000_000)],
    ['comment marks', '# '.repeat(1_000_000)],
    ['an XYZ comment of keys', `1\nLattice=${'a={'.repeat(600_000)}\nO 0 0 0`],
    ['a namelist of words', `&SYSTEM\n${'a (1 '.repeat(360_000)}\nATOMIC_POSITIONS\nSi 0 0 0`],
    ['sections and variables of CP2K', `&FORCE_EVAL\n${'&A b\n&END\n$A${a-'.repeat(100_000)}\n&END\n`],
    [
      'sections and points of phonopy',
      `${Array.from({ length: 120_000 }, (_, i) => `a${i}: 1`).join('\n')}\nunit_cell:\n  points: [${'{},'.repeat(100_000)}]\n`,
    ],
    ['variables and quotes of ABINIT', `znucl 14 natom 1\n${`'"`.repeat(600_000)}`],
    ['CIF tags', `data_x\n${'_t '.repeat(600_000)}`],
    ['CIF loops', `data_x\n${'loop_ _t 1\n'.repeat(160_000)}_atom_site_fract_x 0`],
    ['CIF quotes', `data_x\n${"'a\n".repeat(600_000)}`],
    ['CIF brackets', `#\\#CIF_2.0\ndata_x\n_a ${"['a ".repeat(1_000_000)}`],
    [
      'a symbol without end',
      `data_x\n_symmetry_space_group_name_H-M '${'P '.repeat(800_000)}'\n_cell_length_a 1\n_atom_site_fract_x 0`,
    ],
    ['ten thousand atoms at one place', cifOf(Array.from({ length: 10_000 }, (_, i) => `Fe${i} 0 0 0`))],
    [
      'many sites of high symmetry',
      cifOf(
        Array.from({ length: 5000 }, (_, i) => `Fe${i} 0.1${i} 0.2${i} 0.3${i}`),
        "_symmetry_space_group_name_H-M 'F m -3 m'",
      ),
    ],
    [
      'a thousand operators',
      cifOf(
        ['Fe1 0.1 0.2 0.3', 'Fe2 0 0 0'],
        `loop_\n_space_group_symop_operation_xyz\n${Array.from({ length: 80_000 }, (_, i) => `x+${i}/80000,y,z`).join('\n')}`,
      ),
    ],
  ])('comes to an end with a file of %s', async (_, text) => {
    const spent = await processorMs(() => readAs(text))
    // Seconds, and minutes if the work grew with the square of the length: far from both.
    expect(spent).toBeLessThan(20_000)
  })

  function readAs(text: string): void {
    for (const format of [undefined, 'cif', 'xyz', 'poscar', 'espresso', 'pdb']) {
      try {
        readStructure(text, format === undefined ? {} : { format })
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    }
  }
})

function cifOf(rows: readonly string[], symmetry = ''): string {
  const cell =
    '_cell_length_a 9\n_cell_length_b 9\n_cell_length_c 9\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90'
  return `data_x\n${cell}\n${symmetry}\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n${rows.join('\n')}`
}

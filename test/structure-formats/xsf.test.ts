import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'

const VECTORS = 'PRIMVEC\n4 0 0\n0 4 0\n0 0 4\n'
const ATOMS = 'PRIMCOORD\n2 1\nNa 0 0 0\n17 2.0 2.0 2.0\n'
const read = (text: string, frame?: number): Crystal =>
  readStructure(text, { format: 'xsf', ...(frame === undefined ? {} : { frame }) }).crystal

describe('an XSF file', () => {
  it('has places in ångström beside symbols or numbers, and is told by its content', () => {
    const { crystal, format } = readStructure(`# Rock salt\n\nCRYSTAL\n${VECTORS}${ATOMS}`)
    expect(format).toBe('xsf')
    expect(crystal).toMatchObject({
      title: 'Rock salt',
      periodic: [true, true, true],
      sites: [
        { element: 'Na', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
      ],
      warnings: [],
    })
  })

  it.each([
    ['CRYSTAL', [true, true, true]],
    ['SLAB', [true, true, false]],
    ['POLYMER', [true, false, false]],
    ['DIM-GROUP\n2 1', [true, true, false]],
    ['', [true, true, true]],
    ['MOLECULE', [false, false, false]],
  ])('repeats as the keyword %j says, also when it is written and read again', (keyword, periodic) => {
    const crystal = read(`${keyword}\n${VECTORS}${ATOMS}`)
    expect(crystal.periodic).toEqual(periodic)
    const again = read(printStructure(crystal, 'xsf'))
    expect([again.periodic, again.sites]).toEqual([periodic, crystal.sites])
  })

  it('may have no third vector of a slab, and is a molecule with ATOMS alone', () => {
    const slab = read(`SLAB\n${VECTORS.replace('0 0 4', '0 0 0')}${ATOMS}`)
    expect([slab.periodic, slab.lattice[2]]).toEqual([
      [true, true, false],
      [0, 0, 12],
    ])
    const water = readStructure('ATOMS\n8 0 0 0\nH 0.76 0.59 0\nH -0.76 0.59 0\n')
    expect([water.format, water.crystal.periodic]).toEqual(['xsf', [false, false, false]])
  })

  it('writes the vectors along which it repeats first', () => {
    const lattice = [
      [4, 0, 0],
      [0, 5, 0],
      [0, 0, 6],
    ] as const
    const crystal: Crystal = {
      title: 'x',
      lattice,
      periodic: [false, true, true],
      sites: [{ element: 'Fe', fraction: [0.1, 0.2, 0.3] }],
      warnings: [],
    }
    expect(read(printStructure(crystal, 'xsf'))).toMatchObject({
      lattice: [
        [0, 5, 0],
        [0, 0, 6],
        [4, 0, 0],
      ],
      periodic: [true, true, false],
      sites: [{ fraction: [0.2, 0.3, 0.1] }],
    })
  })

  it('has its steps as frames, in one cell or each in its own', () => {
    const step = (number: number): string => `PRIMCOORD ${number}\n1 1\nFe ${number} 0 0 0.1 0 0\n`
    const fixed = `ANIMSTEPS 3\nCRYSTAL\n${VECTORS}${step(1)}${step(2)}${step(3)}`
    expect([0, 1, -1].map((frame) => read(fixed, frame).sites[0]?.fraction[0])).toEqual([0.25, 0.5, 0.75])
    expect(read(fixed, 1).rest?.leftOut).toEqual(['forces (1)'])
    const cells = [1, 2].map(
      (number) => VECTORS.replace('PRIMVEC', `PRIMVEC ${number}`).replace('4 0 0', `${4 * number} 0 0`) + step(number),
    )
    expect([0, 1].map((frame) => read(`ANIMSTEPS 2\nCRYSTAL\n${cells.join('')}`, frame).lattice[0][0])).toEqual([4, 8])
    const molecules = 'ANIMSTEPS 2\nATOMS 1\nO 0 0 0\nATOMS 2\nS 0 0 0\n'
    expect([0, 1].map((frame) => read(molecules, frame).sites[0]?.element)).toEqual(['O', 'S'])
    expect(() => read(fixed.replace('Fe 3', 'Fe x'), 2)).toThrow(/^Line 15: A place "x" is not a number/)
  })

  it('does not keep data on grids, however long they are, and names them', () => {
    const grid = `BEGIN_BLOCK_DATAGRID_3D\n density\n BEGIN_DATAGRID_3D\n 2 2 2\n${'1.0 2.0 3.0 4.0\n'.repeat(900_000)} END_DATAGRID_3D\nEND_BLOCK_DATAGRID_3D\n`
    const crystal = read(`CRYSTAL\n${VECTORS}CONVVEC\n8 0 0\n0 8 0\n0 0 8\n${ATOMS}${grid}`)
    expect(crystal.rest?.values).toEqual({ CONVVEC: '8 0 0 0 8 0 0 0 8' })
    expect(crystal.rest?.leftOut).toEqual(['data grids (1)'])
    expect(crystal.warnings[0]?.message).toBe('Left out: data grids (1).')
  })

  it.each([
    ['no lattice vectors', `CRYSTAL\n${ATOMS}`, 42231],
    ['lattice vectors in one plane', `CRYSTAL\n${VECTORS.replace('0 0 4', '4 4 0')}${ATOMS}`, 42231],
    ['two lattice vectors', `CRYSTAL\n${VECTORS.replace('0 0 4\n', '')}${ATOMS}`, 42225],
    ['fewer atoms than announced', `CRYSTAL\n${VECTORS}${ATOMS.replace('2 1', '3 1')}`, 42232],
    ['no number of atoms', `CRYSTAL\n${VECTORS}${ATOMS.replace('2 1\n', '')}`, 42225],
    ['a place that is none', `CRYSTAL\n${VECTORS}${ATOMS.replace('Na 0', 'Na x')}`, 42225],
    ['an unknown species', `CRYSTAL\n${VECTORS}${ATOMS.replace('Na', 'Jq')}`, 42230],
    ['too many atoms', `CRYSTAL\n${VECTORS}PRIMCOORD\n10001 1\n`, 41311],
    ['no atoms', `CRYSTAL\n${VECTORS}`, 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })
})

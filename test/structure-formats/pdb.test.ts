import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { parsePdb } from '../../src/structure/formats/pdb.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

function atom(
  name: string,
  element: string,
  place: readonly number[],
  extra: { alt?: string; occupancy?: string; record?: string; residue?: string } = {},
): string {
  const coordinates = place.map((x) => x.toFixed(3).padStart(8)).join('')
  return `${(extra.record ?? 'ATOM').padEnd(6)}    1 ${name.padEnd(4)}${extra.alt ?? ' '}${(extra.residue ?? 'GLY').padStart(3)} A   1    ${coordinates}${(extra.occupancy ?? '1.00').padStart(6)}  0.00          ${element.padStart(2)}`
}

const CRYST1 = 'CRYST1   10.000   20.000   40.000  90.00  90.00  90.00 P 1           1'

function elements(crystal: Crystal): string {
  return crystal.sites.map((site) => site.element).join(' ')
}

describe('a PDB file', () => {
  it('gives cell and atoms by columns', () => {
    const crystal = parsePdb(
      `TITLE     glycine\n${CRYST1}\n${atom(' CA', 'C', [1, 2, 4])}\n${atom('ZN', 'ZN', [5, -5, 10], { record: 'HETATM' })}\nEND\n`,
    )
    expect(crystal).toMatchObject({ title: 'glycine', periodic: [true, true, true], warnings: [] })
    expect(crystal.sites.map((site) => [site.element, ...site.fraction])).toEqual([
      ['C', 0.1, 0.1, 0.1],
      ['Zn', 0.5, -0.25, 0.25],
    ])
  })

  it('tells carbon from calcium by the column of the name where the element is missing', () => {
    const ligand = { record: 'HETATM', residue: 'LIG' }
    const crystal = parsePdb(
      [
        atom(' CA', '', [0, 0, 0], ligand),
        atom('CA', '', [3, 0, 0], ligand),
        atom('HG11', '', [6, 0, 0], { residue: 'LIG' }),
        atom('1HB', '', [9, 0, 0], ligand),
      ].join('\n'),
    )
    expect(elements(crystal)).toBe('C Ca H H')
    expect(crystal.warnings[0]).toMatchObject({ code: 'species-assumed', line: 1 })
    expect(crystal.warnings[0]?.message).toContain('CA as Ca')
  })

  it('has in a residue no elements but those of residues, wherever the name stands', () => {
    const names = ['N', 'CA', 'HA', 'CD', 'NE', 'HE2', 'HG1', 'OD1', '2HH1', 'SE']
    const lines = names.map((name, index) => atom(name, '', [2 * index, 0, 0], { residue: 'MSE' }))
    expect(elements(parsePdb(lines.join('\n')))).toBe('N C H C N H H O H Se')
  })

  it('without a cell, or with the unit cube that stands for none, is a molecule', () => {
    const unit = 'CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n'
    expect(parsePdb(atom(' N', 'N', [0, 0, 0])).periodic).toEqual([false, false, false])
    expect(parsePdb(unit + atom(' N', 'N', [0, 0, 0])).periodic).toEqual([false, false, false])
  })

  it('is read without applying its space group, with a warning', () => {
    const crystal = parsePdb(`${CRYST1.replace('P 1  ', 'P 21 ')}\n${atom(' N', 'N', [0, 0, 0])}`)
    expect([crystal.sites.length, crystal.warnings[0]?.code]).toEqual([1, 'space-group-not-applied'])
  })

  it('uses its own way to fractions where that is not the usual one', () => {
    const row = (n: number, values: readonly number[]): string =>
      `SCALE${n}    ${values.map((x) => x.toFixed(6).padStart(10)).join('')}        0.00000`
    const turned = [row(1, [0, 0.1, 0]), row(2, [0, 0, 0.05]), row(3, [0.025, 0, 0])].join('\n')
    const crystal = parsePdb(`${CRYST1}\n${turned}\n${atom(' N', 'N', [4, 1, 2])}`)
    expect(crystal.sites[0]?.fraction).toEqual([0.1, 0.1, 0.1])
  })

  it('may leave all occupancies at zero, as programs do that compute structures', () => {
    expect(elements(parsePdb(atom(' N', 'N', [0, 0, 0], { occupancy: '0.00' })))).toBe('N')
  })

  it.each([
    ['alternatives', [atom(' N', 'N', [0, 0, 0], { alt: 'A' }), atom(' N', 'N', [1, 0, 0], { alt: 'B' })], 42227],
    ['partial occupancy', [atom(' N', 'N', [0, 0, 0]), atom(' O', 'O', [2, 0, 0], { occupancy: '0.50' })], 42227],
    ['an unknown atom', [atom(' Q1', '', [0, 0, 0])], 42230],
    ['a coordinate that is no number', [atom(' N', 'N', [0, 0, 0]).replace('   0.000', '     abc')], 42225],
    ['no atoms', ['HEADER    EMPTY'], 42235],
  ])('is refused with %s', (_, lines, code) => {
    expect(() => parsePdb(lines.join('\n'))).toThrow(expect.objectContaining({ code }))
  })

  it('gives the model that is named', () => {
    const lines = [
      'MODEL        1',
      atom(' N', 'N', [0, 0, 0]),
      'ENDMDL',
      'MODEL        2',
      atom(' O', 'O', [0, 0, 0]),
      'ENDMDL',
    ]
    expect(elements(readStructure(lines.join('\n'), { format: 'pdb', frame: 1 }).crystal)).toBe('O')
  })
})

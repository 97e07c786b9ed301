import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const TYPES = 'natom 2 ntypat 2 typat 1 2 znucl 11 17\n'
const SALT = `# Rock salt ! of two atoms\nacell 2*4 6 Angstrom\n${TYPES}xred\n 0 0 0 # first\n 3*1/2\n`
const ONE = 'acell 3*4 angstrom natom 1 znucl 26\n'
const read = (text: string): Crystal => readStructure(text, { format: 'abinit' }).crystal
const decimals = (values: readonly number[]): string[] => values.map((value) => (value + 0).toFixed(6))

describe('an input of ABINIT', () => {
  it.each(['a.abi', 'a.in', 'a.txt', undefined])('is told by its content, whatever its name: %s', (fileName) => {
    const { crystal, format } = readStructure(SALT, { fileName })
    expect(format).toBe('abinit')
    expect(crystal).toEqual({
      title: 'Rock salt ! of two atoms',
      lattice: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 6],
      ],
      periodic: [true, true, true],
      sites: [
        { element: 'Na', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
      ],
      warnings: [],
      rest: { values: {}, leftOut: [] },
    })
  })

  it.each([
    ['3*10', 10 * ANGSTROM_PER_BOHR],
    ['3*10 Bohr', 10 * ANGSTROM_PER_BOHR],
    ['*10', 10 * ANGSTROM_PER_BOHR],
    ['10 2*10 Angstroms', 10],
    ['3*1 nm', 10],
    ['=  3*2d0 angstr', 2],
    ['3*sqrt(4) angstr', 2],
  ])('has lengths in their unit, and numbers that are repeated or worked out: acell %s', (acell, edge) => {
    expect(parametersOf(read(`acell ${acell} znucl 26 natom 1 typat 1`).lattice).c).toBeCloseTo(edge, 9)
  })

  it('has the vectors of rprim, each as long as acell says, and stretched along the axes', () => {
    const { lattice } = read(
      `acell 2 3 4 Angstrom rprim 0 1/2 1/2 .5 0 .5 .5 sqrt(0.25) 0 SCALECART 1 1 10 ZNUCL 6 NaTom 1`,
    )
    expect(lattice.map(decimals)).toEqual([
      ['0.000000', '1.000000', '10.000000'],
      ['1.500000', '0.000000', '15.000000'],
      ['2.000000', '2.000000', '0.000000'],
    ])
  })

  it('has the vectors of angles: three equal ones about z, others with the first along x', () => {
    const equal = read(`${ONE.replace('natom', 'angdeg 3*60 natom')}`).lattice
    expect(parametersOf(equal)).toEqual({ a: 4, b: 4, c: 4, alpha: 60, beta: 60, gamma: 60 })
    const [[x, y, z], [, , second]] = equal
    expect(decimals([x, y, z - second])).toEqual(['2.309401', '0.000000', '0.000000'])
    const other = read(`${ONE.replace('natom', 'angdeg 90 90 120 natom')}`).lattice
    expect(decimals(other[1])).toEqual(['-2.000000', '3.464102', '0.000000'])
  })

  it.each([
    ['xcart 0 0 0 2 2 3 Angstrom', 0.5],
    ['xcart 5*0 6', (6 * ANGSTROM_PER_BOHR) / 6],
    ['xangst 5*0 1.5', 0.25],
  ])('has Cartesian places: %s', (places, z) => {
    const { sites } = read(`acell 2*4 6 angstrom ${TYPES} ${places}\necut 20 Ha`)
    expect(sites[1]?.fraction[2]).toBeCloseTo(z, 12)
  })

  it('has moments, isotopes by masses, and one type where all are of it', () => {
    const { sites } = read('acell 3*4 angstrom natom 2 znucl 1 amu 2.014 xred 3*0 3*.5 spinat 3*0 0 1 2')
    expect(sites).toEqual([
      { element: 'H', fraction: [0, 0, 0], isotope: 2 },
      { element: 'H', fraction: [0.5, 0.5, 0.5], isotope: 2, moment: [0, 1, 2] },
    ])
  })

  it('keeps what is about the calculation, and structures that stay what is listed', () => {
    const text = `${SALT}ecut 20 Ha ngkpt 2*4 3\nnatrd 2 spgroup 225 ndtset 2 ecut2 30 nimage 1\npseudos "Na.psp8, Cl.psp8"\nspinat1 6*0`
    expect(read(text).rest?.values).toEqual({
      ecut: '20 Ha',
      ngkpt: '2*4 3',
      natrd: 2,
      spgroup: 225,
      ndtset: 2,
      ecut2: 30,
      nimage: 1,
      pseudos: '"Na.psp8, Cl.psp8"',
      spinat1: '6*0',
    })
  })

  it.each([
    ['eV', SALT.replace('Angstrom', 'eV')],
    ['Ang', SALT.replace('Angstrom', 'Ang')],
    ['pm', SALT.replace('Angstrom', 'pm')],
    ['Bhor', SALT.replace('xred', 'xcart').replace('3*1/2', '3*1/2 Bhor')],
    ['A', `${ONE}scalecart 3*1 A`],
  ])('is refused with lengths in %s, by the line', (unit, text) => {
    const message = expect.stringMatching(new RegExp(`^Line \\d: "${unit}" is no unit of length. Use one of bohr`, 'i'))
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 42225, message }))
  })

  it('keeps a unit behind what has none', () => {
    const { lattice, rest } = read(`${SALT}Angstrom rprim 1 0 0 0 1 0 0 0 1 Angstrom`)
    expect(lattice[0]).toEqual([4, 0, 0])
    expect(rest?.values).toEqual({ xred: 'Angstrom', rprim: 'Angstrom' })
  })

  it.each([
    ['acell2', `${SALT}ndtset 2 acell2 3*5`, 'Line 7: acell2 is the structure of some of the datasets.'],
    ['xred of all datasets', SALT.replace('xred', 'xred?'), 'xred? is the structure of some of the datasets.'],
    ['a file that is included', `include "cell.abi"\n${SALT}`, 'in another file: include "cell.abi".'],
    ['a structure in a file', `structure "abifile:a.nc"\nznucl 14`, 'structure "abifile:a.nc". Send that file'],
    ['atoms that symmetry makes', `${SALT}natrd 1 spgroup 225`, 'natrd is 1: the structure is another'],
    ['objects that are repeated', `${SALT}nobj 1`, 'nobj is 1'],
    ['a cell that becomes primitive', `${SALT}spgroup 225 brvltt -1`, 'brvltt is -1'],
    ['a path of images', `${SALT}nimage 5`, 'nimage is 5'],
  ])('is refused with %s, by name', (_, text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 42228 }))
    expect(() => read(text)).toThrow(message)
  })

  it.each([
    ['a variable that is there twice', `${SALT}acell 3*5`, 42225],
    ['places that are given twice', `${SALT}xcart 6*0`, 42225],
    ['a number that is none', SALT.replace('3*1/2', '3*x1'), 42225],
    ['a number of atoms that is none', SALT.replace('natom 2', 'natom 1.5'), 42225],
    ['mixtures', `${SALT}mixalch 0.5 0.5`, 42227],
    ['no elements', SALT.replace('znucl 11 17', ''), 42230],
    ['no types', SALT.replace('typat 1 2', ''), 42230],
    ['a type that is not there', SALT.replace('typat 1 2', 'typat 1 3'), 42230],
    ['an element that is none', SALT.replace('17', '170'), 42230],
    ['rprim and angles', `${SALT}rprim 1 0 0 0 1 0 0 0 1 angdeg 3*90`, 42231],
    ['vectors in one plane', `${SALT}rprim 1 0 0 0 1 0 1 1 0`, 42231],
    ['too few places', SALT.replace('3*1/2', '2*1/2'), 42232],
    ['too many places', SALT.replace('3*1/2', '999999999*1/2'), 42232],
    ['too many types', SALT.replace('ntypat 2', 'ntypat 1d9'), 42232],
    ['too many atoms', SALT.replace('natom 2', 'natom 1d9'), 41311],
    ['no places', SALT.replace(/xred[\s\S]*/, ''), 42235],
    ['no atoms', 'acell 3*4 natom 0 znucl 14 ntypat 1 typat xred', 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })
})

import { describe, expect, it } from 'vitest'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'

const ATOMS = '1 1 0 0 0\n2 2 .5 .5 .5\n'
const CELL = '0 0 0\n4 0 0\n0 4 0\n0 0 4\n'
const gen = (boundary: string, atoms = ATOMS, cell = CELL): string => `  2 ${boundary}\n Ga As\n${atoms}${cell}`
const read = (text: string) => readStructure(text, { format: 'gen' }).crystal

describe('a .gen of DFTB+', () => {
  it.each([
    ['fractions', gen('F')],
    ['places in ångström', gen('S', '1 1 0 0 0\n2 2 2 2 2\n')],
    ['places from the origin that it names', gen('s', '1 1 1 1 1\n2 2 3 3 3\n', CELL.replace('0 0 0', '1 1 1'))],
    ['comments and empty lines', `# GaAs\n\n${gen('F # as fractions', ATOMS.replace('\n', ' # Ga\n\n'))}\n`],
  ])('has %s, and is told by its content', (_, text) => {
    expect(readStructure(text)).toMatchObject({
      format: 'gen',
      crystal: {
        lattice: [
          [4, 0, 0],
          [0, 4, 0],
          [0, 0, 4],
        ],
        periodic: [true, true, true],
        sites: [
          { element: 'Ga', fraction: [0, 0, 0] },
          { element: 'As', fraction: [0.5, 0.5, 0.5] },
        ],
        warnings: [],
      },
    })
  })

  it('of a cluster is a molecule, also when it is written and read again', () => {
    const water = read('3 C\nO H\n1 1 0 0 0\n2 2 0.76 0.59 0\n3 2 -0.76 0.59 0\n')
    expect([water.periodic, water.warnings[0]?.code]).toEqual([[false, false, false], 'no-lattice'])
    const text = printStructure({ ...water, title: 'water' }, 'gen')
    expect(text.split('\n').slice(0, 2)).toEqual(['3 C # water', 'O H'])
    expect(read(text)).toMatchObject({ title: 'water', sites: water.sites })
  })

  it('has a title in a comment of its first line', () => {
    expect([read(`# gallium arsenide\n${gen('F')}`).title, read(gen('F # GaAs')).title, read(gen('F')).title]).toEqual([
      'gallium arsenide',
      'GaAs',
      '',
    ])
  })

  it('names what stands behind the places', () => {
    expect(read(gen('F', '1 1 0 0 0 1.5\n2 2 .5 .5 .5 0\n')).rest?.leftOut).toEqual(['columns behind the place (1)'])
  })

  it.each([
    ['helical boundaries', gen('H', ATOMS, '0 0 0\n4 90 1\n'), 42228],
    ['other boundaries', gen('P'), 42225],
    ['no number of atoms', gen('F').replace('2 F', 'x F'), 42225],
    ['fewer atoms than announced', gen('F').replace('2 F', '3 F'), 42232],
    ['more atoms than announced', gen('F').replace('2 F', '1 F'), 42232],
    ['fractions of no lattice', gen('F', ATOMS, ''), 42232],
    ['lattice vectors in one plane', gen('F').replace('0 0 4', '4 4 0'), 42231],
    ['an atom of no name', gen('F', '1 1 0 0 0\n2 3 .5 .5 .5\n'), 42225],
    ['an atom of the name 0', gen('F', '1 0 0 0 0\n2 2 .5 .5 .5\n'), 42225],
    ['a place that is none', gen('F', '1 1 0 x 0\n2 2 .5 .5 .5\n'), 42225],
    ['a name of no element', gen('F').replace('As', 'Jq'), 42230],
    ['too many atoms', gen('F').replace('2 F', '10001 F'), 41311],
    ['no atoms', '0 C\nSi\n', 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })

  it('names the line of what it refuses', () => {
    expect(() => read(`# GaAs\n${gen('F', '1 1 0 0 0\n2 3 .5 .5 .5\n')}`)).toThrow(/^Line 5: The second number/)
  })
})

import { describe, expect, it } from 'vitest'
import { materialDocument } from '../../src/records/kinds/material/structure-files.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const CUBE = [
  [4, 0, 0],
  [0, 4, 0],
  [0, 0, 4],
]
const structure = (second: string): object => ({
  '@module': 'pymatgen.core.structure',
  '@class': 'Structure',
  lattice: { matrix: CUBE },
  sites: [['Cs', 0] as const, [second, 0.5] as const].map(([element, x]) => ({
    species: [{ element, occu: 1 }],
    abc: [x, x, x],
  })),
})
const jarvis = (second: string): object => ({
  lattice_mat: CUBE,
  coords: [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
  ],
  elements: ['Cs', second],
  cartesian: false,
})
const nomad = (...seconds: readonly string[]): object => ({
  metadata: { entry_id: 'n-1' },
  run: [
    {
      system: seconds.map((second) => ({
        atoms: {
          labels: ['Cs', second],
          positions: [
            [0, 0, 0],
            [2e-10, 2e-10, 2e-10],
          ],
          lattice_vectors: CUBE.map((row) => row.map((x) => x * 1e-10)),
          periodic: [true, true, true],
        },
      })),
    },
  ],
})

/** The second species, and what is kept, of each structure of a file. */
function readAll(document: unknown): readonly unknown[] {
  const text = JSON.stringify(document)
  const found: unknown[] = []
  for (let frame = 0; frame < 5; frame++) {
    try {
      const { document: record } = materialDocument({ text, fileName: 'download.json', frame })
      const { crystal } = readStructure(text, { frame })
      expect(crystal.lattice).toEqual(CUBE)
      expect(crystal.sites[1]?.fraction).toEqual([0.5, 0.5, 0.5])
      found.push([crystal.sites[1]?.element, record.source ?? {}])
    } catch (error) {
      expect(error).toMatchObject({ code: 42235, message: expect.stringContaining('no frame') })
      break
    }
  }
  return found
}

describe('what people download', () => {
  it.each([
    ['a structure of pymatgen', 'pymatgen', structure('Cl'), [['Cl', {}]]],
    [
      'a list of them',
      'pymatgen',
      [structure('Cl'), structure('Br')],
      [
        ['Cl', {}],
        ['Br', {}],
      ],
    ],
    [
      'documents of the Materials Project',
      'pymatgen',
      [
        { material_id: 'mp-1', band_gap: 5.4, structure: structure('Cl') },
        { material_id: 'mp-2', structure: structure('Br') },
      ],
      [
        ['Cl', { material_id: 'mp-1', band_gap: 5.4 }],
        ['Br', { material_id: 'mp-2' }],
      ],
    ],
    [
      'a response of it',
      'pymatgen',
      {
        data: [
          { material_id: 'mp-1', structure: structure('Cl') },
          { material_id: 'mp-2', structure: structure('Br') },
        ],
        meta: {},
      },
      [
        ['Cl', { material_id: 'mp-1' }],
        ['Br', { material_id: 'mp-2' }],
      ],
    ],
    [
      'documents by their ids',
      'pymatgen',
      { 'mp-1': { band_gap: 5.4, structure: structure('Cl') }, 'mp-2': structure('Br') },
      [
        ['Cl', { band_gap: 5.4 }],
        ['Br', {}],
      ],
    ],
    [
      'a computed entry',
      'pymatgen',
      { '@class': 'ComputedStructureEntry', energy: -7.5, parameters: { run_type: 'GGA' }, structure: structure('Cl') },
      [['Cl', { energy: -7.5, parameters: { run_type: 'GGA' } }]],
    ],
    [
      'a computed entry with data, as pymatgen always writes it',
      'pymatgen',
      { energy: -7.5, data: { oxide_type: 'None' }, structure: structure('Cl') },
      [['Cl', { energy: -7.5, data: { oxide_type: 'None' } }]],
    ],
    [
      'computed entries with data',
      'pymatgen',
      [
        { data: {}, structure: structure('Cl') },
        { structure: structure('Br'), data: { oxide_type: 'oxide' } },
      ],
      [
        ['Cl', {}],
        ['Br', { data: { oxide_type: 'oxide' } }],
      ],
    ],
    [
      'a response of one document',
      'pymatgen',
      { data: { material_id: 'mp-1', structure: structure('Cl') }, meta: {} },
      [['Cl', { material_id: 'mp-1' }]],
    ],
    [
      'entries of JARVIS',
      'jarvis',
      [
        { jid: 'JVASP-1', optb88vdw_bandgap: 5.1, atoms: jarvis('Cl') },
        {
          jid: 'JVASP-2',
          atoms: {
            ...jarvis('Br'),
            coords: [
              [0, 0, 0],
              [2, 2, 2],
            ],
            cartesian: true,
          },
        },
      ],
      [
        ['Cl', { jid: 'JVASP-1', optb88vdw_bandgap: 5.1 }],
        ['Br', { jid: 'JVASP-2' }],
      ],
    ],
    ['atoms of JARVIS', 'jarvis', jarvis('Cl'), [['Cl', {}]]],
    [
      'an archive of NOMAD, in metres',
      'nomad',
      { data: { archive: { ...nomad('Cl'), results: { material: { material_id: 'm-1' } } } } },
      [['Cl', { metadata: { entry_id: 'n-1' }, results: { material: { material_id: 'm-1' } } }]],
    ],
    [
      'the systems of an archive',
      'nomad',
      nomad('Cl', 'Br'),
      [
        ['Cl', { metadata: { entry_id: 'n-1' } }],
        ['Br', { metadata: { entry_id: 'n-1' } }],
      ],
    ],
  ])('is read, one structure after the other, with what stands beside it: %s', (_, format, document, expected) => {
    expect(readStructure(JSON.stringify(document)).format).toBe(format)
    expect(readAll(document)).toEqual(expected)
  })

  it('names, with each system of an archive, what is said of all of them and left out', () => {
    const calculation = [{ energy: { total: -1.5 } }, { energy: { total: -2.5 } }]
    const { run, ...about } = nomad('Cl', 'Br') as { readonly run: readonly object[] }
    const archive = { ...about, run: [{ ...run[0], calculation }], results: { gap: 1.5 } }
    const text = JSON.stringify({ data: [{ entry_id: 'e-1', archive }] })
    for (const frame of [0, 1]) {
      const { warnings, rest } = readStructure(text, { frame }).crystal
      const message =
        'The archive has several systems, and says of all of them, which is left out: results, run[].calculation (1).'
      expect(warnings).toEqual([{ code: 'not-in-frames', message }])
      expect(rest?.values).toMatchObject({ entry_id: 'e-1', metadata: { entry_id: 'n-1' } })
    }
    expect(readStructure(JSON.stringify(nomad('Cl', 'Br')), { frame: 1 }).crystal.warnings).toEqual([])
  })

  it('keeps the ids that stand beside an archive', () => {
    const { rest } = readStructure(JSON.stringify({ data: { entry_id: 'e-1', archive: nomad('Cl') } })).crystal
    expect(rest?.values).toMatchObject({ entry_id: 'e-1' })
  })

  it.each([
    ['an empty list', 'pymatgen', [], 42235],
    ['more elements than places', 'jarvis', { ...jarvis('Cl'), elements: ['Cs'] }, 42232],
    ['a species that is none', 'jarvis', jarvis('Jq'), 42230],
    ['no systems', 'nomad', { run: [{}] }, 42235],
    ['a species that is none', 'nomad', nomad('Jq'), 42230],
  ])('is refused with %s', (_, format, document, code) => {
    expect(() => readStructure(JSON.stringify(document), { format })).toThrow(expect.objectContaining({ code }))
  })
})

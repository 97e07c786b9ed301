import { expect, test } from 'vitest'
import { looksLikeStructure } from '../../web/parts/looks-like-structure.ts'

test.each([
  ['a POSCAR', 'Si\n1.0\n0 2.7 2.7\n2.7 0 2.7\n2.7 2.7 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'],
  ['a CIF', 'data_x\n_cell_length_a 3.5\n_cell_length_b 3.5\n'],
  ['an XYZ', '2\nwater\nO 0 0 0\nH 0 0 1\n'],
  ['an input of Quantum ESPRESSO', '&CONTROL\n/\nATOMIC_POSITIONS crystal\nSi 0 0 0\n'],
  ['JSON', '{"lattice": {"a": 3}, "basis": {}}'],
])('%s looks like a structure', (_what, text) => {
  expect(looksLikeStructure(text)).toBe(true)
})

test.each(['', 'SiO2', '{"formula":"Si"}', 'A sentence.\n1\nof three\nlines\n', '12\n13\n14\n'])(
  '%j does not',
  (text) => {
    expect(looksLikeStructure(text)).toBe(false)
  },
)

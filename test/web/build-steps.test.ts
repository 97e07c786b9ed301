import { expect, test } from 'vitest'
import { readBuildSteps } from '../../src/records/kinds/material/read-build-steps.ts'
import {
  fieldsShown,
  newDraft,
  STEP_FORMS,
  type StepKind,
  stepOf,
  withStep,
} from '../../web/pages/material/build-steps.ts'

const draft = (kind: StepKind, fields: Readonly<Record<string, string>> = {}) => {
  const usual = newDraft(kind, 0)
  return { ...usual, fields: { ...usual.fields, ...fields } }
}

test.each<[StepKind, Readonly<Record<string, string>>, object]>([
  ['supercell', {}, { supercell: { size: [2, 2, 2] } }],
  [
    'supercell',
    { by: 'matrix' },
    {
      supercell: {
        matrix: [
          [1, 1, 0],
          [-1, 1, 0],
          [0, 0, 1],
        ],
      },
    },
  ],
  ['standardCell', {}, { standardCell: { cell: 'primitive' } }],
  [
    'slab',
    { miller: '1,1,-1', termination: '2' },
    { slab: { miller: [1, 1, -1], layers: 4, vacuum: 15, termination: 2, centred: true } },
  ],
  [
    'slab',
    { by: 'thickness', centred: 'no' },
    { slab: { miller: [1, 0, 0], thickness: 10, vacuum: 15, termination: 0, centred: false } },
  ],
  ['substitution', { from: 'Ga', to: 'Al' }, { substitution: { elements: { Ga: 'Al' } } }],
  ['substitution', { from: 'Ga', to: 'Al', some: '1, 3' }, { substitution: { elements: { Ga: 'Al' }, sites: [0, 2] } }],
  ['substitution', { by: 'sites', to: 'Al', sites: '4' }, { substitution: { sites: [3], with: 'Al' } }],
  ['vacancy', { sites: ' 1 2,5 ' }, { vacancy: { sites: [0, 1, 4] } }],
  ['ordered', {}, { ordered: { how: 'supercell', maxAtoms: 100, seed: 0 } }],
  ['ordered', { how: 'majority' }, { ordered: { how: 'majority' } }],
  ['strain', {}, { strain: { percent: 1 } }],
  ['strain', { by: 'voigt' }, { strain: { voigt: [0.01, 0, 0, 0, 0, 0] } }],
  [
    'strain',
    { by: 'deformation' },
    {
      strain: {
        deformation: [
          [1.01, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
    },
  ],
])('%s with %j is sent as %j, which the server reads as it is', (kind, fields, step) => {
  expect(stepOf(draft(kind, fields))).toEqual(step)
  const read = readBuildSteps([JSON.parse(JSON.stringify(step))], (path, expected) => new Error(`${path}: ${expected}`))
  expect(read).toEqual([step])
})

test('what a field begins with is what it may be', () => {
  for (const kind of Object.keys(STEP_FORMS) as StepKind[]) {
    for (const { pattern, initial } of fieldsShown(draft(kind))) {
      if (pattern !== undefined && initial !== '') expect(initial).toMatch(new RegExp(`^(?:${pattern})$`, 'v'))
    }
  }
  expect('1, 4 7').toMatch(new RegExp(`^(?:${fieldsShown(draft('vacancy'))[0]?.pattern})$`, 'v'))
  expect('Fe1').not.toMatch(new RegExp(`^(?:${fieldsShown(draft('vacancy'))[0]?.pattern})$`, 'v'))
})

test('a slab that is cut first is cut of the conventional cell; one of what was built is cut of that', () => {
  const slab = withStep([], 'slab')
  expect(slab.map(stepOf)).toMatchObject([{ standardCell: { cell: 'conventional' } }, { slab: {} }])
  const later = withStep(withStep([], 'supercell'), 'slab')
  expect(later.map(stepOf)).toMatchObject([{ supercell: {} }, { slab: {} }])
  expect(new Set(slab.map(({ key }) => key)).size).toBe(2)
  const [cell] = withStep([], 'standardCell')
  expect(cell && stepOf(cell)).toEqual({ standardCell: { cell: 'primitive' } })
})

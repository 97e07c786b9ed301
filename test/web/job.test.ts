import { describe, expect, it } from 'vitest'
import { durationWords, isDoubtful, materialsOf, statusWords, stepsOf, textsOf } from '../../web/pages/job/job.ts'
import { bytesText } from '../../web/parts/bytes-text.ts'

describe('a job in words', () => {
  it('names program, model and method of each part that has a program', () => {
    const model = {
      type: 'dft',
      subtype: 'gga',
      functional: 'pbe',
      method: { type: 'pseudopotential', subtype: 'paw' },
    }
    const subworkflows = [
      { application: { name: 'vasp', version: '5.2.12' }, model },
      { application: { name: 'espresso' }, model: { type: 'dft', subtype: 'lda' } },
      { application: { name: 'my-code' } },
      { name: 'nothing' },
    ]
    expect(stepsOf({ workflow: { subworkflows } })).toEqual([
      { program: 'VASP 5.2.12', model: 'PBE (GGA), DFT', functional: 'PBE', method: 'pseudopotential, paw' },
      { program: 'Quantum ESPRESSO', model: 'LDA, DFT', functional: '', method: '' },
      { program: 'my-code', model: '', functional: '', method: '' },
    ])
    expect(stepsOf({})).toEqual([])
  })

  it.each([
    [{ status: 'finished', isConverged: true }, 'finished, converged', false],
    [{ status: 'finished', isConverged: false }, 'finished, not converged', true],
    [{ status: 'error', isConverged: null }, 'error', true],
    [{ status: 'pre-submission' }, 'pre submission', false],
    [{}, 'not known', false],
  ])('of %j says %s', (job, words, doubtful) => {
    expect([statusWords(job), isDoubtful(job)]).toEqual([words, doubtful])
  })

  it.each([
    [12.3456, '12.3 s'],
    [125, '2 min'],
    [7500, '2 h 5 min'],
    [undefined, null],
  ])('that took %j seconds says %j', (wallSeconds, words) => expect(durationWords({ wallSeconds })).toBe(words))

  it('is about each material once', () => {
    expect(materialsOf({ _material: { _id: 'a' }, _materials: [{ _id: 'a' }, { _id: 'b' }, {}] })).toEqual(['a', 'b'])
    expect(materialsOf({})).toEqual([])
  })

  it('names what was left out', () => {
    expect(textsOf(['eigenvalues (160 × 2)', 3])).toEqual(['eigenvalues (160 × 2)'])
    expect(textsOf(undefined)).toEqual([])
  })
})

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [61474, '61.5 kB'],
  [1_500_000, '1.5 MB'],
  [2e15, '2000 TB'],
])('%d bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))

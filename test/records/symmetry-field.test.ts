import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { materialDocument } from '../../src/records/kinds/material/structure-files.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { findSymmetry, groupsByTolerance } from '../../src/structure/symmetry/find-symmetry.ts'
import { notComputed, type SymmetryFinder } from '../../src/structure/symmetry/symmetry-report.ts'

const symmetry: SymmetryFinder = (crystal: Crystal) => {
  const report = findSymmetry(crystal, 0.01)
  return report.status === 'computed' ? { ...report, byTolerance: groupsByTolerance(crystal, report) } : report
}

/** A cubic perovskite whose titanium is so many ångström out of the middle. */
function perovskite(shift: number, name = 'P m -3 m'): JsonObject {
  const rows = ['Sr 0 0 0', `Ti 0.5 0.5 ${0.5 + shift / 4}`, 'O 0.5 0.5 0', 'O 0.5 0 0.5', 'O 0 0.5 0.5']
  const cell = ['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 4`).join('\n')
  const angles = ['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`).join('\n')
  const list = `loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n${rows.join('\n')}\n`
  const group = `_space_group_name_H-M_alt '${name}'\nloop_\n_space_group_symop_operation_xyz\n'x, y, z'\n`
  return materialDocument({ text: `data_x\n${cell}\n${angles}\n${group}${list}`, format: 'cif' }).document
}

const derive = (document: JsonObject, stored?: JsonObject) =>
  deriveMaterial(document, { symmetry, symmetryTimeMs: 1000, ...(stored === undefined ? {} : { stored }) })

const numbers = ({ symmetry: field }: JsonObject) =>
  (field as unknown as { byTolerance: { number: number }[] }).byTolerance.map(({ number }) => number)

describe('the symmetry of a material', () => {
  it('is told within four tolerances, and whether it nearly has another', () => {
    expect(derive(perovskite(0)).symmetry).toMatchObject({
      byTolerance: [0.001, 0.01, 0.03, 0.1].map((tolerance) => ({ tolerance, number: 221, symbol: 'Pm-3m' })),
      pseudosymmetric: false,
    })
    const off = derive(perovskite(0.012))
    expect(numbers(off)).toEqual([99, 99, 221, 221])
    expect(off).toMatchObject({ spaceGroup: { number: 99 }, symmetry: { pseudosymmetric: true } })
    expect(numbers(derive(perovskite(0.03)))).toEqual([99, 99, 99, 221])
    expect(numbers(derive(perovskite(0.004)))).toEqual([99, 221, 221, 221])
  })

  it('is kept without another search for as long as the structure is the same', () => {
    const stored = { ...perovskite(0.02), ...derive(perovskite(0.02)) }
    const never: SymmetryFinder = () => {
      throw new Error('sought again')
    }
    const again = deriveMaterial({ ...stored, name: 'other' }, { symmetry: never, symmetryTimeMs: 1000, stored })
    expect(again.symmetry).toEqual(stored.symmetry)
  })

  it('is completed where an earlier version told of one tolerance, and not lost where that fails', () => {
    const { symmetry: _new, ...stored } = {
      ...perovskite(0.012, 'P 1'),
      ...derive(perovskite(0.012, 'P 1')),
    } as JsonObject
    expect(numbers(derive(stored, stored))).toEqual([99, 99, 221, 221])
    const failing = deriveMaterial(stored, { symmetry: () => notComputed('too slow'), symmetryTimeMs: 1000, stored })
    expect(failing).toMatchObject({ spaceGroup: { number: 99 } })
    expect(failing).not.toHaveProperty('symmetry.byTolerance')
  })
})

describe('the group that a file says', () => {
  const declared = { number: 221, symbol: 'Pm-3m' }
  const findings = ({ consistencyChecks }: JsonObject) =>
    (consistencyChecks as readonly JsonObject[]).filter(({ key }) => key === 'symmetry.declared')

  it('stays beside the one that is found', () => {
    const same = derive(perovskite(0))
    expect(same).toMatchObject({ symmetry: { declared }, spaceGroup: { number: 221 } })
    expect(findings(same)).toEqual([])
  })

  it('is a finding where the atoms have another', () => {
    expect(findings(derive(perovskite(0.02)))).toMatchObject([
      {
        severity: 'warning',
        message: 'The file says space group Pm-3m (221), and its atoms have P4mm (99).',
      },
    ])
    expect(findings(derive(perovskite(0, 'P 4 m m')))).toMatchObject([{ severity: 'info' }])
    expect(findings(derive(perovskite(0, 'P 1')))).toEqual([])
    expect(derive(perovskite(0, 'P 1'))).toMatchObject({ symmetry: { declared: { number: 1 } } })
  })

  it('stays with the record until its structure or its file is another', () => {
    const stored = { ...perovskite(0.02), ...derive(perovskite(0.02)) } as JsonObject
    expect(derive({ ...stored, name: 'other' }, stored)).toMatchObject({ symmetry: { declared } })
    expect(derive(stored)).toMatchObject({ symmetry: { declared } })
    const moved = { ...stored, basis: perovskite(0.03).basis ?? null, consistencyChecks: [] }
    expect(derive(moved, stored)).not.toHaveProperty('symmetry.declared')
    expect(findings(derive(moved, stored))).toEqual([])
    const { src: _src, ...withoutFile } = stored
    expect(derive(withoutFile, stored)).not.toHaveProperty('symmetry.declared')
  })

  it('is not what a client says in its place', () => {
    const stored = { ...perovskite(0.02), ...derive(perovskite(0.02)) } as JsonObject
    const said = { ...stored, symmetry: { declared: { number: 225 } } }
    expect(derive(said, stored)).toMatchObject({ symmetry: { declared } })
    expect(derive({ ...stored, symmetry: { declared: { number: 300 } } })).not.toHaveProperty('symmetry.declared')
  })
})

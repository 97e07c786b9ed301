import { KBAR_PER_EV_PER_ANGSTROM3 } from '../../page/units.ts'
import { type Matrix3, mapMatrix } from '../../structure/linear-algebra.ts'
import { type Result, scalar } from '../calculation.ts'

/** The stress that ASE has in eV/Å³, positive where the crystal is stretched: six numbers (xx, yy, zz, yz, xz, xy) or nine. It is given in kbar with the sign of the pressure, which is a third of its trace. */
export function stressResults(stress: readonly number[]): readonly Result[] {
  const matrix = matrixOf(stress)
  if (matrix === null) return []
  const value = mapMatrix(matrix, (entry) => 0 - entry * KBAR_PER_EV_PER_ANGSTROM3)
  const pressure = (value[0][0] + value[1][1] + value[2][2]) / 3
  return [scalar('pressure', pressure, 'kbar'), { name: 'stress_tensor', data: { value, units: 'kbar' } }]
}

function matrixOf(stress: readonly number[]): Matrix3 | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = stress
  if (stress.length === 6) {
    return [
      [a, f, e],
      [f, b, d],
      [e, d, c],
    ]
  }
  if (stress.length !== 9) return null
  return [
    [a, b, c],
    [d, e, f],
    [g, h, i],
  ]
}

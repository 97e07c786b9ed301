import { length, type Vector3 } from '../../../structure/linear-algebra.ts'
import { ofSites, type Result, scalar } from '../../calculation.ts'

/** Forces in eV/Å, and the root of the sum of their squares, which VASP does not print and others do. */
export function forceResults(forces: readonly Vector3[] | null): readonly Result[] {
  if (forces === null) return []
  const total = Math.sqrt(forces.reduce((sum, force) => sum + length(force) ** 2, 0))
  return [ofSites('atomic_forces', forces, 'eV/angstrom'), scalar('total_force', total, 'eV/angstrom')]
}

/** Stress in kbar as VASP prints it, positive where the cell wants to grow; the pressure is what it says, or else a third of the trace. */
export function stressResults(stress: readonly Vector3[] | null, pressure: number | null): readonly Result[] {
  const said = pressure ?? pressureOf(stress)
  return [
    ...(stress === null ? [] : [{ name: 'stress_tensor', data: { value: stress, units: 'kbar' } }]),
    ...(said === null ? [] : [scalar('pressure', said, 'kbar')]),
  ]
}

function pressureOf(stress: readonly Vector3[] | null): number | null {
  const [a, b, c] = stress ?? []
  return a && b && c ? (a[0] + b[1] + c[2]) / 3 : null
}

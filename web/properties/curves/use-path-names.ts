import { useMemo } from 'preact/hooks'
import { reading, useAnswer } from '../../api/use-answer.ts'
import {
  type CellLengths,
  type Fraction,
  isSameMetric,
  type Metric,
  pointNames,
  reciprocalMetric,
  type ZonePoint,
} from './k-path.ts'

interface Reciprocal {
  readonly points: readonly ZonePoint[]
  readonly primitiveCell: { readonly lattice: CellLengths }
}

interface Lattice extends CellLengths {
  readonly units?: { readonly length?: string; readonly angle?: string }
}

interface PathNames {
  readonly metric: Metric | null
  readonly nameOf: (point: Fraction) => string
}

/** What the crystal of a material says of points of its zone. They have names where its cell is the one that the names are of. */
export function usePathNames(materialId: string | null): PathNames {
  const path = materialId === null ? null : `/materials/${encodeURIComponent(materialId)}`
  const crystal = useAnswer<{ readonly lattice: Lattice }>(reading(path, { fields: '{"lattice":1}' }))
  const zone = useAnswer<Reciprocal>(reading(path && `${path}/reciprocal`))
  return useMemo(() => {
    const metric = crystal.data === null ? null : reciprocalMetric(inDegrees(crystal.data.lattice))
    const isNamed =
      metric !== null && zone.data !== null && isSameMetric(metric, reciprocalMetric(zone.data.primitiveCell.lattice))
    return { metric, nameOf: pointNames(isNamed ? zone.data.points : [], metric ?? []) }
  }, [crystal.data, zone.data])
}

const ANGSTROMS_IN_BOHR = 0.529177210903

/** The cell in ångström and degrees. */
function inDegrees({ units, a, b, c, alpha, beta, gamma }: Lattice): CellLengths {
  const length = units?.length === 'bohr' ? ANGSTROMS_IN_BOHR : 1
  const angle = units?.angle === 'radian' ? 180 / Math.PI : 1
  return { a: a * length, b: b * length, c: c * length, alpha: alpha * angle, beta: beta * angle, gamma: gamma * angle }
}

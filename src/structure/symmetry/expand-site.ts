import { metricOf, multiply, transpose } from '../matrix-algebra.ts'
import { AXES, type Matrix3, mapVector, type Vector3 } from '../vector.ts'
import type { SymmetryOperator } from './operator.ts'

/** Images nearer than this are one atom on a special position that was written with few digits. */
export const SAME_SITE_ANGSTROM = 0.1
/** Coordinates this near to a third are the third that four digits cannot express. */
const THIRD_TOLERANCE = 1e-4

/** Takes 0.3333 for 1/3 and 0.6667 for 2/3. */
export function snapThirds(value: number): number {
  const thirds = Math.round(value * 3)
  if (thirds % 3 === 0) return value
  return Math.abs(value - thirds / 3) < THIRD_TOLERANCE ? thirds / 3 : value
}

/** All places that the operators take a site to, each once, within the cell; the first is the site itself. */
export function expandSite(site: Vector3, operators: readonly SymmetryOperator[], lattice: Matrix3): Vector3[] {
  const metric = metricOf(lattice)
  const images: Vector3[] = [[wrap(site[0]), wrap(site[1]), wrap(site[2])]]
  for (const { rotation, translation } of operators) {
    const [r0, r1, r2] = rotation
    const x = wrap(r0[0] * site[0] + r0[1] * site[1] + r0[2] * site[2] + translation[0])
    const y = wrap(r1[0] * site[0] + r1[1] * site[1] + r1[2] * site[2] + translation[1])
    const z = wrap(r2[0] * site[0] + r2[1] * site[1] + r2[2] * site[2] + translation[2])
    if (
      !images.some(
        (image) => squaredDistance(metric, x - image[0], y - image[1], z - image[2]) < SAME_SITE_ANGSTROM ** 2,
      )
    ) {
      images.push([x, y, z])
    }
  }
  return images
}

/** Into the cell; what is a hair below 1 is 0, so that images of one place do not lie on both sides. */
function wrap(x: number): number {
  const wrapped = x - Math.floor(x)
  return wrapped > 1 - 1e-9 || wrapped < 1e-9 ? 0 : wrapped
}

/** Of the shortest vector between images; exact for vectors much shorter than the cell is thick, which is all that is asked. */
function squaredDistance(metric: Matrix3, dx: number, dy: number, dz: number): number {
  const x = dx - Math.round(dx)
  const y = dy - Math.round(dy)
  const z = dz - Math.round(dz)
  const [a, b, c] = metric
  return a[0] * x * x + b[1] * y * y + c[2] * z * z + 2 * (a[1] * x * y + a[2] * x * z + b[2] * y * z)
}

/** Relative difference of lengths and angles up to which an operator is said to fit a cell. */
const FIT_TOLERANCE = 0.03

/** Tells whether the operators leave all lengths and angles of the cell as they are. */
export function fitsCell(operators: readonly SymmetryOperator[], lattice: Matrix3): boolean {
  const metric = metricOf(lattice)
  const size = mapVector([metric[0][0], metric[1][1], metric[2][2]], Math.sqrt)
  return operators.every(({ rotation }) => {
    const turned = multiply(multiply(transpose(rotation), metric), rotation)
    return AXES.every((i) =>
      AXES.every((j) => Math.abs(turned[i][j] - metric[i][j]) <= 2 * FIT_TOLERANCE * size[i] * size[j]),
    )
  })
}

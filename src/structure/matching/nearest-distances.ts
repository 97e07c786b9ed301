import { reduceLattice } from '../lattice.ts'
import {
  AXES,
  type Axis,
  combineRows,
  cross,
  determinant,
  inverse,
  length,
  type Matrix3,
  mapVector,
  multiply,
  type Vector3,
} from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'

/** An atom is not its own neighbour; two atoms are never this near (Å). */
const ITSELF_ANGSTROM = 1e-3
/** Somewhat more than a sphere that holds as many atoms as are sought, where they are spread evenly. */
const FIRST_REACH = 1.15
/** Twice the volume. */
const MORE_REACH = Math.cbrt(2)

/** A second or two, and some tens of megabytes. */
const MOST_COMPARISONS = 1e8
const MOST_IMAGES = 2e6

/** Places of a crystal in Å, so that what is near them can be found: its lattice is reduced, which changes nothing but the search. */
export interface Places {
  readonly lattice: Matrix3
  /** Fractions of the reduced lattice vectors, within the cell. */
  readonly fractions: readonly Vector3[]
}

/** Puts fractions of any lattice vectors into a reduced cell of the same lattice. */
export function placesIn(lattice: Matrix3, fractions: readonly Vector3[]): Places {
  const reduced = reduceLattice(lattice)
  const change = multiply(lattice, inverse(reduced))
  const within = fractions.map((fraction) => mapVector(combineRows(fraction, change), wrapFraction))
  return { lattice: longestAlongX(reduced), fractions: within }
}

/** The same lattice with other names of x, y and z: neighbours are sought along x, of which there should be most, and along y. */
function longestAlongX(lattice: Matrix3): Matrix3 {
  const extent = (axis: Axis): number => Math.max(...lattice.map((row) => Math.abs(row[axis])))
  const [x, y, z] = AXES.toSorted((one, other) => extent(other) - extent(one)) as [Axis, Axis, Axis]
  const [a, b, c] = lattice
  const renamed = (row: Vector3): Vector3 => [row[x], row[y], row[z]]
  return [renamed(a), renamed(b), renamed(c)]
}

/** Mean distances (Å) from the nearest, second nearest, … of others, images too but not itself; null where measuring takes too long. */
export function meanNearest(
  lattice: Matrix3,
  from: readonly Vector3[],
  to: readonly Vector3[],
  count: number,
): Float64Array | null {
  const volume = Math.abs(determinant(lattice))
  let reach = FIRST_REACH * Math.cbrt((3 * count * volume) / (4 * Math.PI * to.length))
  while (isShort(lattice, from.length, to.length, reach)) {
    const images = imagesWithin(lattice, to, reach)
    const sorted = from.length <= FEW ? inOneColumn(images, reach) : inColumns(images, reach)
    const means = meansWithin(lattice, from, sorted, count)
    if (means !== null) return means
    reach *= MORE_REACH
  }
  return null
}

function isShort(lattice: Matrix3, from: number, to: number, reach: number): boolean {
  const [ra, rb, rc] = fractionsOf(reach, lattice)
  const images = to * (1 + 2 * ra) * (1 + 2 * rb) * (1 + 2 * rc)
  const extent = lattice.reduce((sum, row) => sum + Math.abs(row[0]), 0)
  return images <= MOST_IMAGES && images * from * Math.min(1, reach / extent) <= MOST_COMPARISONS
}

/** Slabs of space along an axis, all of one width. */
interface Slabs {
  readonly least: number
  readonly width: number
  readonly count: number
}

/** All images within a distance of the cell. */
interface CartesianImages {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
}

/** The same in columns along z: column `x * y slabs + y` has those from `starts[column]` on. */
interface PlaceImages extends CartesianImages {
  readonly starts: Int32Array
  readonly alongX: Slabs
  readonly alongY: Slabs
  readonly reach: number
}

const SLABS_PER_REACH = 2
/** Slabs along y are wider in a wide cell, so that there are not many more columns than atoms. */
const MOST_SLABS_ALONG_Y = 64

function imagesWithin(lattice: Matrix3, places: readonly Vector3[], reach: number): CartesianImages {
  const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = lattice
  const [ra, rb, rc] = fractionsOf(reach, lattice)
  let count = 0
  for (const [u, v, w] of places) count += stepsWithin(u, ra) * stepsWithin(v, rb) * stepsWithin(w, rc)
  const [x, y, z] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  let at = 0
  for (const [u, v, w] of places) {
    for (let i = firstWithin(u, ra); i <= 1 + ra; i++) {
      for (let j = firstWithin(v, rb); j <= 1 + rb; j++) {
        for (let k = firstWithin(w, rc); k <= 1 + rc; k++) {
          x[at] = i * ax + j * bx + k * cx
          y[at] = i * ay + j * by + k * cy
          z[at] = i * az + j * bz + k * cz
          at += 1
        }
      }
    }
  }
  return { x, y, z }
}

/** The first image of a fraction that is not farther than a reach below the cell. */
function firstWithin(fraction: number, reach: number): number {
  return fraction + Math.ceil(-reach - fraction)
}

function stepsWithin(fraction: number, reach: number): number {
  let steps = 0
  for (let at = firstWithin(fraction, reach); at <= 1 + reach; at++) steps += 1
  return steps
}

function slabsOf(places: Float64Array, thinnest: number, mostSlabs: number): Slabs {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const place of places) {
    if (place < least) least = place
    if (place > most) most = place
  }
  const width = Math.max(thinnest, (most - least) / mostSlabs)
  return { least, width, count: places.length === 0 ? 1 : Math.floor((most - least) / width) + 1 }
}

/** The slab of a place, the first or the last for one beyond them. */
function slabAt({ least, width, count }: Slabs, place: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((place - least) / width)))
}

/** Distance as fractions of lattice vectors, each at right angles to the other two. */
function fractionsOf(distance: number, [a, b, c]: Matrix3): Vector3 {
  const volume = Math.abs(determinant([a, b, c]))
  const share = (u: Vector3, v: Vector3): number => (distance * length(cross(u, v))) / volume
  return [share(b, c), share(c, a), share(a, b)]
}

/** For so few places it takes less to look at all images than to sort them. */
const FEW = 8
const ONE_SLAB: Slabs = { least: 0, width: Number.POSITIVE_INFINITY, count: 1 }

function inOneColumn(images: CartesianImages, reach: number): PlaceImages {
  return { ...images, starts: Int32Array.of(0, images.x.length), alongX: ONE_SLAB, alongY: ONE_SLAB, reach }
}

function inColumns(images: CartesianImages, reach: number): PlaceImages {
  const { x: xs, y: ys, z: zs } = images
  const width = reach / SLABS_PER_REACH
  const [alongX, alongY] = [slabsOf(xs, width, Number.POSITIVE_INFINITY), slabsOf(ys, width, MOST_SLABS_ALONG_Y)]
  const columns = new Int32Array(xs.length)
  const starts = new Int32Array(alongX.count * alongY.count + 1)
  for (let index = 0; index < xs.length; index++) {
    const slab = Math.floor(((xs[index] as number) - alongX.least) / alongX.width)
    const column = slab * alongY.count + Math.floor(((ys[index] as number) - alongY.least) / alongY.width)
    columns[index] = column
    starts[column + 1] = (starts[column + 1] as number) + 1
  }
  for (let column = 1; column < starts.length; column++) {
    starts[column] = (starts[column] as number) + (starts[column - 1] as number)
  }
  const next = starts.slice()
  const [x, y, z] = [new Float64Array(xs.length), new Float64Array(xs.length), new Float64Array(xs.length)]
  for (let index = 0; index < xs.length; index++) {
    const column = columns[index] as number
    const at = next[column] as number
    next[column] = at + 1
    x[at] = xs[index] as number
    y[at] = ys[index] as number
    z[at] = zs[index] as number
  }
  return { x, y, z, starts, alongX, alongY, reach }
}

/** Null where a place has fewer neighbours than are sought. */
function meansWithin(
  lattice: Matrix3,
  from: readonly Vector3[],
  images: PlaceImages,
  count: number,
): Float64Array | null {
  const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = lattice
  const sums = new Float64Array(count)
  const nearest = new Float64Array(count)
  for (const [u, v, w] of from) {
    const place: Vector3 = [u * ax + v * bx + w * cx, u * ay + v * by + w * cy, u * az + v * bz + w * cz]
    if (!findNearest(place, images, nearest)) return null
    for (let rank = 0; rank < count; rank++) sums[rank] = (sums[rank] as number) + Math.sqrt(nearest[rank] as number)
  }
  return sums.map((sum) => sum / from.length)
}

/** Fills in the squares of the least distances, ascending; false where there are fewer within reach. */
function findNearest([px, py, pz]: Vector3, images: PlaceImages, nearest: Float64Array): boolean {
  const { x, y, z, starts, alongX, alongY, reach } = images
  const [first, end] = [slabAt(alongY, py - reach), slabAt(alongY, py + reach) + 1]
  const toX = slabAt(alongX, px + reach)
  const last = nearest.length - 1
  let limit = reach * reach
  let found = 0
  for (let slab = slabAt(alongX, px - reach); slab <= toX; slab++) {
    const to = starts[slab * alongY.count + end] as number
    for (let at = starts[slab * alongY.count + first] as number; at < to; at++) {
      const dx = (x[at] as number) - px
      const dy = (y[at] as number) - py
      const dz = (z[at] as number) - pz
      const squared = dx * dx + dy * dy + dz * dz
      if (squared > limit || squared < ITSELF_ANGSTROM * ITSELF_ANGSTROM) continue
      let rank = Math.min(found, last)
      while (rank > 0 && (nearest[rank - 1] as number) > squared) {
        nearest[rank] = nearest[rank - 1] as number
        rank -= 1
      }
      nearest[rank] = squared
      found += 1
      if (found > last) limit = nearest[last] as number
    }
  }
  return found > last
}

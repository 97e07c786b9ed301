import { readFileSync } from 'node:fs'
import { readMaterial } from '../../../src/records/kinds/material/structure-files.ts'
import {
  combineRows,
  inverse,
  type Matrix3,
  mapVector,
  multiply,
  type Vector3,
} from '../../../src/structure/linear-algebra.ts'
import { wrapFraction } from '../../../src/structure/near-pairs.ts'
import { type Cell, withNoise } from '../../structure-symmetry/support/supercells.ts'

export type Random = () => number

/** Numbers from 0 to 1 that a seed decides. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function sample(name: string): Cell {
  const text = readFileSync(new URL(`../../../samples/materials/${name}.json`, import.meta.url), 'utf8')
  return readMaterial({ text, format: 'material' }).crystal
}

export function shifted({ lattice, sites }: Cell, by: Vector3): Cell {
  const moved = sites.map((site) => ({ ...site, fraction: mapVector(site.fraction, (x, axis) => x + by[axis]) }))
  return { lattice, sites: moved }
}

/** The crystal in the cell whose vectors are these whole numbers of its own. */
export function inCell({ lattice, sites }: Cell, rows: Matrix3): Cell {
  const back = inverse(rows)
  const reach = Math.max(...rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)))
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  const places: Cell['sites'][number][] = []
  for (const site of sites) {
    const seen = new Set<string>()
    for (const i of steps) {
      for (const j of steps) {
        for (const k of steps) {
          const step = combineRows([i, j, k], back)
          const key = step.map((x) => Math.round(wrapFraction(x) * 1e6) % 1e6).join()
          if (seen.has(key)) continue
          seen.add(key)
          const own = combineRows(site.fraction, back)
          places.push({ ...site, fraction: mapVector(own, (x, axis) => wrapFraction(x + step[axis])) })
        }
      }
    }
  }
  return { lattice: multiply(rows, lattice), sites: places }
}

/** Another cell of the same lattice. */
export function otherCell(random: Random): Matrix3 {
  let rows: Matrix3 = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let step = 0; step < 3; step++) {
    const [from, to] = [Math.floor(random() * 3), Math.floor(random() * 3)]
    if (from === to) continue
    const times = random() < 0.5 ? 1 : -1
    rows = rows.map((row, index) =>
      index === to ? mapVector(row, (x, axis) => x + times * (rows[from] as Vector3)[axis]) : row,
    ) as unknown as Matrix3
  }
  return rows
}

/** The crystal turned by any angle about any axis. */
export function turned({ lattice, sites }: Cell, random: Random): Cell {
  const [q0, q1, q2, q3] = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]
  const size = Math.hypot(q0, q1, q2, q3)
  const [w, x, y, z] = [q0 / size, q1 / size, q2 / size, q3 / size]
  const rotation: Matrix3 = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ]
  return { lattice: multiply(lattice, rotation), sites }
}

/** The crystal with all distances strained: along x, y, z, and by half the shear in xy, xz, yz. */
export function strained(
  { lattice, sites }: Cell,
  [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0]: readonly number[],
): Cell {
  const rows: Matrix3 = [
    [1 + xx, xy, xz],
    [xy, 1 + yy, yz],
    [xz, yz, 1 + zz],
  ]
  return { lattice: multiply(lattice, rows), sites }
}

/** The crystal with every atom off its place by so many Å at the most, in any direction. */
export function displaced({ lattice, sites }: Cell, most: number, random: Random): Cell {
  const back = inverse(lattice)
  const off = (): Vector3 => {
    const [x, y, z] = [random() - 0.5, random() - 0.5, random() - 0.5]
    const size = Math.hypot(x, y, z)
    return [x, y, z].map((part) => (part / size) * most * Math.cbrt(random())) as unknown as Vector3
  }
  const moved = sites.map((site) => {
    const by = combineRows(off(), back)
    return { ...site, fraction: mapVector(site.fraction, (x, axis) => x + by[axis]) }
  })
  return { lattice, sites: moved }
}

export function mirrored({ lattice, sites }: Cell): Cell {
  const flip = ([x, y, z]: Vector3): Vector3 => [x, y, -z]
  return { lattice: [flip(lattice[0]), flip(lattice[1]), flip(lattice[2])], sites }
}

export function shuffled({ lattice, sites }: Cell, random: Random): Cell {
  const order = sites.map((site) => ({ site, key: random() })).sort((one, other) => one.key - other.key)
  return { lattice, sites: order.map(({ site }) => site) }
}

/** All at once: another origin, cell, orientation and order; a supercell; noise in Å. */
export function copyOf(crystal: Cell, random: Random, { supercell = 1, noise = 0 } = {}): Cell {
  const rows = otherCell(random)
  const times = [supercell, 1, 1].sort(() => random() - 0.5)
  const larger = rows.map((row, index) => mapVector(row, (x) => x * (times[index] as number))) as unknown as Matrix3
  const moved = shifted(inCell(crystal, larger), [random(), random(), random()])
  return shuffled(turned(noise === 0 ? moved : withNoise(moved, noise, random), random), random)
}

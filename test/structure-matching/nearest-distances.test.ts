import { expect, it } from 'vitest'
import { latticeVectors } from '../../src/structure/lattice.ts'
import { combineRows, length, type Matrix3, minus, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { meanNearest, placesIn } from '../../src/structure/matching/nearest-distances.ts'
import { type Random, randomOf } from './support/copies.ts'

const STEPS = [-4, -3, -2, -1, 0, 1, 2, 3, 4]

/** Mean distances to the nearest among all images in nine cells along each edge. */
function meansOfAll(lattice: Matrix3, from: readonly Vector3[], to: readonly Vector3[], count: number): number[] {
  const sums: number[] = new Array(count).fill(0)
  for (const place of from) {
    const distances: number[] = []
    for (const [u, v, w] of to) {
      for (const i of STEPS) {
        for (const j of STEPS) {
          for (const k of STEPS) distances.push(length(combineRows(minus([u + i, v + j, w + k], place), lattice)))
        }
      }
    }
    const nearest = distances.filter((distance) => distance > 1e-3).sort((one, other) => one - other)
    for (const rank of sums.keys()) sums[rank] = (sums[rank] as number) + (nearest[rank] as number)
  }
  return sums.map((sum) => sum / from.length)
}

function randomPlaces(count: number, random: Random): readonly Vector3[] {
  return Array.from({ length: count }, (): Vector3 => [random(), random(), random()])
}

it.each([1, 2, 8, 9, 20])('the mean distances of %i places to the nearest are those among all images', (count) => {
  const random = randomOf(count)
  const cell = { a: 4, b: 5.5, c: 7, alpha: 80, beta: 95, gamma: 105 }
  const { lattice, fractions } = placesIn(latticeVectors(cell), randomPlaces(count, random))
  const others = placesIn(latticeVectors(cell), randomPlaces(3, random)).fractions
  const own = meanNearest(lattice, fractions, fractions, 12)
  expect([...(own ?? [])]).toEqual(meansOfAll(lattice, fractions, fractions, 12).map((mean) => expect.closeTo(mean, 9)))
  const theirs = meanNearest(lattice, fractions, others, 12)
  expect([...(theirs ?? [])]).toEqual(meansOfAll(lattice, fractions, others, 12).map((mean) => expect.closeTo(mean, 9)))
})

import type { JsonObject } from '../../../src/kernel/json.ts'
import { latticeVectors } from '../../../src/structure/lattice.ts'
import type { Vector3 } from '../../../src/structure/linear-algebra.ts'
import { operatorsOfHallSymbol } from '../../../src/structure/symmetry/hall-symbol.ts'
import { expandSite } from '../../../src/structure/symmetry/operator.ts'

/** Eighty atoms on general places of a cubic cell with their 47 images each: no repetitions, and long to look at for symmetry. */
export function slowCrystal(): JsonObject {
  const [edge, right] = [60, 90]
  const lattice = { a: edge, b: edge, c: edge, alpha: right, beta: right, gamma: right }
  const operators = operatorsOfHallSymbol('-P 4 2 3') ?? []
  const places = Array.from({ length: 80 }, (_, i): Vector3 => [i * 0.377, i * 0.613 + 0.05, i * 0.829 + 0.13])
  const images = places.flatMap((place) => expandSite(place, operators, latticeVectors(lattice)))
  const elements = images.map((_, id) => ({ id, value: 'Po' }))
  const coordinates = images.map((value, id) => ({ id, value }))
  return { basis: { elements, coordinates, units: 'crystal' }, lattice }
}

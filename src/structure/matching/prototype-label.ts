import { itemAt } from '../linear-algebra.ts'
import { orbitsOf } from '../symmetry/orbits.ts'
import type { FoundSymmetry } from '../symmetry/symmetry-report.ts'

/** Groups that are each other's mirror image: the one with the lower number stands for both. */
const LOWER_TWIN: ReadonlyMap<number, number> = new Map([
  [78, 76],
  [95, 91],
  [96, 92],
  [145, 144],
  [153, 151],
  [154, 152],
  [170, 169],
  [172, 171],
  [179, 178],
  [181, 180],
  [213, 212],
])

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * What crystals of one prototype have in common, whatever their elements, origin and size: how many atoms there are of each species, the
 * group, and of each species the orbits in the conventional cell by multiplicity and site symmetry. `A3BC_221_3(4/mm.m)_1(m-3m)_1(m-3m)` for a
 * cubic perovskite. Null for more species than there are letters.
 */
export function prototypeLabel(symmetry: FoundSymmetry): string | null {
  const species = new Map<string, { count: number; orbits: string[] }>()
  for (const { element, multiplicity, siteSymmetry } of orbitsOf(symmetry)) {
    const one = species.get(element) ?? { count: 0, orbits: [] }
    one.count += multiplicity
    one.orbits.push(`${multiplicity}(${siteSymmetry})`)
    species.set(element, one)
  }
  if (species.size > LETTERS.length) return null
  const parts = [...species.values()].map(({ count, orbits }) => ({ count, text: orbits.sort().join('+') }))
  parts.sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1))
  const divisor = parts.reduce((common, { count }) => greatestCommonDivisor(common, count), 0)
  const formula = parts.map(({ count }, at) => {
    const times = count / divisor
    return `${itemAt([...LETTERS], at)}${times === 1 ? '' : times}`
  })
  const group = LOWER_TWIN.get(symmetry.number) ?? symmetry.number
  return [formula.join(''), group, ...parts.map(({ text }) => text)].join('_')
}

function greatestCommonDivisor(x: number, y: number): number {
  return y === 0 ? x : greatestCommonDivisor(y, x % y)
}

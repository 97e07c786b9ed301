import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bondsOf, neighboursOf } from '../../../src/page/scene/bonds.ts'
import { nearPairs } from '../../../src/page/scene/near-pairs.ts'
import { type Structure, wrapped } from '../../../src/page/scene/structure.ts'
import { add, combine, length, type Matrix3, subtract, type Vector3 } from '../../../src/page/scene/vector.ts'
import { crystal, cubic, DIAMOND, DRY_ICE, ROCK_SALT, sample } from './known-crystals.ts'

/** How many bonds each atom has, by its element, each number once. */
function numbers(structure: Structure): Record<string, number[]> {
  const whole = wrapped(structure)
  const { starts } = neighboursOf(bondsOf(whole), whole.species.length)
  const found: Record<string, Set<number>> = {}
  for (const [site, symbol] of whole.species.entries()) {
    found[symbol] ??= new Set()
    found[symbol].add((starts[site + 1] as number) - (starts[site] as number))
  }
  return Object.fromEntries(Object.entries(found).map(([symbol, set]) => [symbol, [...set].sort()]))
}

describe('bonds', () => {
  it('are six of each atom in rock salt, four in diamond, two and one in dry ice', () => {
    expect(numbers(ROCK_SALT)).toEqual({ Na: [6], Cl: [6] })
    expect(numbers(DIAMOND)).toEqual({ C: [4] })
    expect(numbers(DRY_ICE)).toEqual({ C: [2], O: [1] })
  })

  it.each<[prototype: string, numbers: readonly number[]]>([
    ['fcc', [12]],
    ['bcc', [8]],
    ['hcp', [12]],
    ['diamond', [4]],
    ['rocksalt', [6, 6]],
    ['caesium chloride', [8, 8]],
    ['zincblende', [4, 4]],
    ['wurtzite', [4, 4]],
    ['fluorite', [8, 4]],
    ['rutile', [6, 3]],
    ['corundum', [6, 4]],
    ['graphite', [3]],
    ['L12', [12, 12]],
  ])('are as the field counts them in every sample of the prototype %s', (prototype, expected) => {
    const names = readdirSync(new URL('../../../samples/materials', import.meta.url))
      .filter((name) => prototypeOf(name) === prototype)
      .map((name) => name.replace('.json', ''))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const counted = Object.values(numbers(sample(name)))
      expect([name, counted.flat().sort()]).toEqual([name, [...expected].sort()])
    }
  })

  it('are as long as they are, and the cell of the other end is where it is', () => {
    const { firsts, seconds, shifts, distances } = bondsOf(wrapped(ROCK_SALT))
    expect(firsts).toHaveLength(24)
    for (const [bond, distance] of distances.entries()) {
      const [from, to] = [firsts, seconds].map((ends) => ROCK_SALT.fractions[ends[bond] as number] as Vector3)
      const arm = add(subtract(to as Vector3, from as Vector3), shifts.slice(3 * bond, 3 * bond + 3) as never)
      expect(length(combine(arm, ROCK_SALT.lattice))).toBeCloseTo(distance, 10)
      expect(distance).toBeCloseTo(2.82, 10)
    }
  })

  it('are said to be incomplete, and soon, where atoms are nearer together than atoms are', () => {
    const crowd = Array.from({ length: 3_000 }, (_, i): Vector3 => [(i * 0.618) % 1, (i * 0.414) % 1, (i * 0.732) % 1])
    expect(bondsOf(crystal(cubic(2), ['Fe', crowd])).isCut).toBe(true)
  })
})

function prototypeOf(name: string): string {
  return JSON.parse(readFileSync(new URL(`../../../samples/materials/${name}`, import.meta.url), 'utf8')).metadata
    .prototype
}

/** Every pair of every image, as one line of text each. */
function naive({ lattice, periodic, fractions }: Structure, largest: number): string[] {
  const cells = (repeats: boolean) => (repeats ? [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5] : [0])
  const [alongA, alongB, alongC] = periodic.map(cells) as [number[], number[], number[]]
  const shifts = alongA.flatMap((a) => alongB.flatMap((b) => alongC.map((c): Vector3 => [a, b, c])))
  const found: string[] = []
  for (const [i, from] of fractions.entries())
    for (const [j, to] of fractions.entries())
      for (const shift of shifts) {
        const far = length(combine(subtract(add(to, shift), from), lattice))
        if (far <= largest && far >= 0.1) found.push(`${i} ${j} ${shift.join(' ')}`)
      }
  return found.sort()
}

/** The pairs that the search finds, in both directions. */
function searched(structure: Structure, largest: number): string[] {
  const { firsts, seconds, shifts } = nearPairs(structure, largest)
  return firsts
    .flatMap((first, pair) => {
      const [a, b, c] = shifts.slice(3 * pair, 3 * pair + 3) as [number, number, number]
      const second = seconds[pair] as number
      return [`${first} ${second} ${a} ${b} ${c}`, `${second} ${first} ${0 - a} ${0 - b} ${0 - c}`]
    })
    .sort()
}

describe('the search in a grid', () => {
  const share = fc.double({ min: 0, max: 0.999, noNaN: true })
  const edge = fc.double({ min: 1.3, max: 12, noNaN: true })
  const lean = fc.double({ min: -1, max: 1, noNaN: true })

  it('finds what a comparison of all atoms finds, in cells of all shapes', () => {
    const lattices = fc.tuple(edge, edge, edge, lean, lean, lean).map(
      ([a, b, c, p, q, r]): Matrix3 => [
        [a, 0, 0],
        [p, b, 0],
        [q, r, c],
      ],
    )
    const periodic = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
    const places = fc.array(fc.tuple(share, share, share), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(lattices, periodic, places, (lattice, repeats, fractions) => {
        const structure = { ...crystal(lattice, ['C', fractions]), periodic: repeats }
        expect(searched(structure, 2.5)).toEqual(naive(structure, 2.5))
      }),
      { numRuns: 150 },
    )
  })

  it('finds what a comparison of all finds among 2,000 atoms', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 16807) % 2147483647
      return seed / 2147483647
    }
    const fractions = Array.from({ length: 2_000 }, (): Vector3 => [random(), random(), random()])
    const structure: Structure = { ...crystal(cubic(30), ['C', fractions]), periodic: [false, false, false] }
    const found = searched(structure, 2.4)
    expect(found.length).toBeGreaterThan(5_000)
    expect(found).toEqual(naive(structure, 2.4))
  })

  it('finds the neighbours of atoms outside the box of a molecule', () => {
    const water: Structure = {
      lattice: cubic(2),
      periodic: [false, false, false],
      species: ['O', 'H', 'H'],
      fractions: [
        [2, 2, 2],
        [2.478, 2, 2],
        [1.88, 2.463, 2],
      ],
    }
    expect(numbers(water)).toEqual({ O: [2], H: [1] })
  })
})

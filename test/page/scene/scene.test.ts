import { describe, expect, it } from 'vitest'
import { describe as describeScene } from '../../../src/page/scene/describe.ts'
import { legendOf, type Scene, type SceneOptions, sceneOf } from '../../../src/page/scene/scene.ts'
import type { Structure } from '../../../src/page/scene/structure.ts'
import { angle, distance, type Vector3 } from '../../../src/page/scene/vector.ts'
import { crystal, cubic, DIAMOND, DRY_ICE, PEROVSKITE, ROCK_SALT, sample } from './known-crystals.ts'

/** How many atoms of each element are drawn. */
function drawn({ atoms, structure }: Scene): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { site } of atoms) {
    const symbol = structure.species[site] as string
    counts[symbol] = (counts[symbol] ?? 0) + 1
  }
  return counts
}

const drawnOf = (structure: Structure, options: Partial<SceneOptions> = {}) => drawn(sceneOf(structure, options))

describe('a scene', () => {
  it('has the atoms of the faces on all faces, and each once without', () => {
    expect(drawnOf(ROCK_SALT)).toEqual({ Na: 14, Cl: 13 })
    expect(drawnOf(ROCK_SALT, { boundary: false })).toEqual({ Na: 4, Cl: 4 })
    expect(drawnOf(DIAMOND)).toEqual({ C: 18 })
    expect(drawnOf(PEROVSKITE)).toEqual({ Sr: 1, Ti: 8, O: 12 })
  })

  it('has the 54 bonds of the cell of rock salt with its faces, and the 16 of that of diamond', () => {
    expect(sceneOf(ROCK_SALT).bonds).toHaveLength(54)
    expect(sceneOf(DIAMOND).bonds).toHaveLength(16)
    expect(sceneOf(DIAMOND, { bonds: 'none' }).bonds).toHaveLength(0)
  })

  it('has the atoms at the other ends of bonds where these are drawn across the cell', () => {
    const silicon = sample('si-diamond')
    const options = { boundary: false } as const
    expect(sceneOf(silicon, options).bonds).toHaveLength(1)
    const across = sceneOf(silicon, { ...options, bonds: 'across' })
    expect([across.atoms.length, across.bonds.length]).toEqual([8, 7])
  })

  it('repeats the cell, with the edges of each', () => {
    const scene = sceneOf(DIAMOND, { supercell: [2, 1, 1], boundary: false })
    expect(scene.atoms).toHaveLength(16)
    expect(scene.edges).toHaveLength(20)
    expect(sceneOf(DIAMOND).edges).toHaveLength(12)
    expect(sceneOf(DIAMOND, { supercell: [5, 5, 5] }).edges).toHaveLength(12)
  })

  it('takes an atom a hair below 1 for one on the face', () => {
    const cesium = crystal(cubic(4.12), ['Cs', [[0.9999, -0.0002, 1]]], ['Cl', [[0.5, 0.5, 0.5]]])
    expect(drawnOf(cesium)).toEqual({ Cs: 8, Cl: 1 })
  })

  it('draws fewer cells than would be over 20,000 atoms, and says so', () => {
    const scene = sceneOf(ROCK_SALT, { supercell: [20, 20, 20], boundary: false })
    expect(scene.atoms.length).toBeLessThanOrEqual(20_000)
    expect(scene.notes).toEqual(['Drawn are 13 × 13 × 14 cells: more would be over 20000 atoms.'])
  })

  it('of a molecule has no edges and repeats nothing', () => {
    const alone: Structure = { ...DRY_ICE, periodic: [false, false, false] }
    const scene = sceneOf(alone, { supercell: [3, 3, 3] })
    expect([scene.atoms.length, scene.edges.length]).toEqual([12, 0])
  })

  it('of nothing is empty', () => {
    expect(sceneOf(crystal(cubic(3))).atoms).toEqual([])
  })
})

describe('molecules', () => {
  const counts = (scene: Scene): number[] => {
    const bonds = new Array(scene.atoms.length).fill(0)
    for (const ends of scene.bonds) for (const end of ends) bonds[end]++
    return scene.atoms.map(({ site }, atom) => (scene.structure.species[site] === 'C' ? bonds[atom] : 2 * bonds[atom]))
  }

  it('of dry ice are whole: four in the cell, fourteen with its faces', () => {
    const inside = sceneOf(DRY_ICE, { boundary: false })
    expect(drawn(inside)).toEqual({ C: 4, O: 8 })
    expect(counts(inside)).toEqual(new Array(12).fill(2))
    const faces = sceneOf(DRY_ICE)
    expect(drawn(faces)).toEqual({ C: 14, O: 28 })
    expect(counts(faces)).toEqual(new Array(42).fill(2))
  })

  it('are cut where they are not asked to be whole', () => {
    expect(counts(sceneOf(DRY_ICE, { boundary: false, molecules: false }))).toContain(0)
  })

  it('are none in a framework', () => {
    const whole = sceneOf(DIAMOND, { boundary: false })
    expect(whole.positions).toEqual(sceneOf(DIAMOND, { boundary: false, molecules: false }).positions)
  })
})

describe('polyhedra', () => {
  it('are octahedra around titanium, whole at the corners of the cell, and none around strontium with its twelve', () => {
    const scene = sceneOf(PEROVSKITE, { polyhedra: true })
    expect(scene.polyhedra).toHaveLength(8)
    for (const { center, faces } of scene.polyhedra) {
      expect(scene.structure.species[scene.atoms[center]?.site ?? -1]).toBe('Ti')
      expect(faces.map((face) => face.length)).toEqual(new Array(8).fill(3))
    }
    expect(drawn(scene).O).toBe(36)
  })

  it('are cubes of six squares around calcium in fluorite, and tetrahedra around zinc in its blende', () => {
    const around = (name: string) =>
      sceneOf(sample(name), { polyhedra: true }).polyhedra.map(({ faces }) => faces.map(({ length }) => length))
    expect(around('caf2-fluorite')[0]).toEqual(new Array(6).fill(4))
    expect(around('zns-zincblende')[0]).toEqual(new Array(4).fill(3))
  })

  it('have faces whose corners go around as seen from outside', () => {
    const { polyhedra, positions } = sceneOf(PEROVSKITE, { polyhedra: true })
    for (const { center, faces } of polyhedra)
      for (const [p, q, r] of faces.map((face) => face.map((corner) => positions[corner] as Vector3))) {
        const [u, v, w] = [p, q, r].map((corner) =>
          (corner as Vector3).map((along, axis) => along - ((positions[center] as Vector3)[axis] as number)),
        ) as unknown as [Vector3, Vector3, Vector3]
        const volume =
          u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0])
        expect(volume).toBeGreaterThan(0)
      }
  })
})

describe('measuring', () => {
  it('gives the bond of rock salt, its right angle, and the angle of a tetrahedron', () => {
    const { positions, bonds, atoms } = sceneOf(ROCK_SALT)
    const [first, second] = bonds[0] as [number, number]
    expect(distance(positions[first] as Vector3, positions[second] as Vector3)).toBeCloseTo(2.82, 10)
    expect(atoms[first]?.site).not.toBe(atoms[second]?.site)
    expect(angle([1, 0, 0], [0, 0, 0], [0, 2, 0])).toBeCloseTo(90, 10)
    expect(angle([1, 1, 1], [0, 0, 0], [1, -1, -1])).toBeCloseTo(109.4712, 4)
    expect(angle([1, 0, 0], [0, 0, 0], [3, 0, 0])).toBe(0)
  })
})

describe('the sentence', () => {
  it('says atoms, cell and what is bonded to what', () => {
    expect(describeScene(sceneOf(ROCK_SALT))).toBe(
      '8 atoms (4 Na, 4 Cl), in a cell of a = b = c = 5.640 Å, α = β = γ = 90°: each Na is bonded to 6 Cl; each Cl is bonded to 6 Na.',
    )
  })

  it('says of one atom that it is one, and of no bonds that there are none', () => {
    const argon = crystal(cubic(8), ['Ar', [[0, 0, 0]]])
    expect(describeScene(sceneOf(argon))).toContain('1 atom (1 Ar), in a cell of a = b = c = 8.000 Å')
    expect(describeScene(sceneOf(argon))).toContain('no bonds')
  })

  it('stands beside a legend of the elements', () => {
    expect(legendOf(PEROVSKITE)).toEqual([
      { symbol: 'Sr', count: 1 },
      { symbol: 'Ti', count: 1 },
      { symbol: 'O', count: 3 },
    ])
  })
})

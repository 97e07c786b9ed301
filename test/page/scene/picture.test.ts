import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { along, axisArrows, firstView, fitted, project, turned } from '../../../src/page/scene/camera.ts'
import { drawSvg } from '../../../src/page/scene/draw-svg.ts'
import { type MaterialFields, structureOfMaterial } from '../../../src/page/scene/material-structure.ts'
import { sceneOf } from '../../../src/page/scene/scene.ts'
import { add, determinant, dot, scale, type Vector3 } from '../../../src/page/scene/vector.ts'
import { DRY_ICE, PEROVSKITE, ROCK_SALT, sample } from './known-crystals.ts'

const SIZE = { width: 200, height: 150 }

describe('a camera', () => {
  it('along a lattice vector has it at the viewer, and the one before it up', () => {
    const { lattice } = sample('c-graphite')
    for (const axis of [0, 1, 2] as const) {
      const arrows = axisArrows(lattice, along(lattice, axis))
      expect((arrows[axis] as Vector3)[2]).toBeCloseTo(1, 10)
      const [right, up] = arrows[(axis + 2) % 3] as Vector3
      expect(right).toBeCloseTo(0, 10)
      expect(up).toBeGreaterThan(0)
    }
  })

  it('stays a rotation however it is turned', () => {
    let rotation = firstView(ROCK_SALT.lattice)
    for (let i = 0; i < 1000; i++) rotation = turned(rotation, 0.37 * i, 0.11)
    expect(determinant(rotation)).toBeCloseTo(1, 9)
    expect(dot(rotation[0], rotation[1])).toBeCloseTo(0, 9)
  })

  it('turns what is in front to the right, and what is in front down', () => {
    const front: Vector3 = [0, 0, 1]
    const identity = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
    const camera = { rotation: turned(identity, 0.1, 0), center: [0, 0, 0], scale: 10, ...SIZE } as const
    expect(project(camera, front)[0]).toBeGreaterThan(100)
    expect(project({ ...camera, rotation: turned(identity, 0, 0.1) }, front)[1]).toBeGreaterThan(75)
  })

  it('has all of a scene in its picture, and no larger border than it needs', () => {
    const scene = sceneOf(DRY_ICE)
    for (const right of [0, 0.7, 2, 4]) {
      const camera = fitted(scene, turned(firstView(scene.structure.lattice), right, right / 3), SIZE)
      const places = scene.positions.map((position) => project(camera, position))
      const radius = scene.largest * camera.scale
      for (const [x, y] of places) expect(x > radius && x < 200 - radius && y > radius && y < 150 - radius).toBe(true)
      expect(Math.min(...places.map(([, y]) => y - radius), ...places.map(([x]) => x - radius))).toBeLessThan(8)
    }
  })
})

describe('a picture of shapes', () => {
  const scene = sceneOf(PEROVSKITE, { polyhedra: true })
  const camera = fitted(scene, firstView(scene.structure.lattice), SIZE)
  const svg = drawSvg(scene, camera, { theme: 'light', title: 'SrTiO₃ & <others>' })

  it('has a circle for each atom, the nearest last, and its size as asked', () => {
    expect(svg.match(/<circle /g)).toHaveLength(scene.atoms.length)
    expect(svg).toContain('width="200" height="150" viewBox="0 0 200 150"')
    const depths = scene.positions.map((place) => project(camera, place))
    const nearest = [...depths].sort((p, q) => q[2] - p[2])[0] as Vector3
    const [, x] = /.*<circle cx="([\d.]+)"/.exec(svg) ?? []
    expect(Number(x)).toBeCloseTo(nearest[0], 1)
  })

  it('says what it shows, and nothing of it is read as markup', () => {
    expect(svg).toContain('<title>SrTiO₃ &#38; &#60;others&#62;</title>')
  })

  it('states its width where one is asked for, and shows a, b and c', () => {
    const wide = drawSvg(scene, camera, { theme: 'dark', title: '', width: '160mm', axes: true })
    expect(wide).toContain('width="160mm" viewBox')
    expect(wide.match(/<text /g)).toHaveLength(3)
    expect(svg).not.toContain('<text')
  })

  it('has no number that is none, for any sample', () => {
    for (const name of readdirSync(new URL('../../../samples/materials', import.meta.url))) {
      const one = sceneOf(sample(name.replace('.json', '')), { polyhedra: true })
      const picture = drawSvg(one, fitted(one, firstView(one.structure.lattice), SIZE), { theme: 'dark', title: name })
      expect(picture).not.toMatch(/NaN|Infinity|undefined/)
    }
  })
})

describe('the structure of a material', () => {
  const silicon: MaterialFields = {
    lattice: { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 },
    basis: {
      elements: [
        { id: 5, value: 'Si' },
        { id: 2, value: 'Ge' },
      ],
      coordinates: [
        { id: 2, value: [0.25, 0.25, 0.25] },
        { id: 5, value: [0, 0, 0] },
      ],
    },
  }

  it('goes by ids, and has vectors of lengths and angles where none are given', () => {
    const { species, fractions, lattice } = structureOfMaterial(silicon)
    expect([species, fractions[1]]).toEqual([
      ['Si', 'Ge'],
      [0.25, 0.25, 0.25],
    ])
    expect(determinant(lattice)).toBeCloseTo(3.867 ** 3 / Math.SQRT2, 6)
  })

  it('is the same in bohr, in radians and in Cartesian coordinates', () => {
    const bohr = 0.529177210903
    const [a, turn] = [3.867 / bohr, Math.PI / 3]
    const { lattice } = structureOfMaterial(silicon)
    const sum = add(add(lattice[0], lattice[1]), lattice[2])
    const place = scale(sum, 0.25 / bohr)
    const other = structureOfMaterial({
      lattice: { a, b: a, c: a, alpha: turn, beta: turn, gamma: turn, units: { length: 'bohr', angle: 'radian' } },
      basis: {
        elements: silicon.basis.elements,
        coordinates: [
          { id: 5, value: [0, 0, 0] },
          { id: 2, value: place },
        ],
        units: 'cartesian',
      },
    })
    for (const [row, vector] of lattice.entries())
      for (const axis of [0, 1, 2]) expect(other.lattice[row]?.[axis]).toBeCloseTo(vector[axis] as number, 9)
    for (const axis of [0, 1, 2]) expect(other.fractions[1]?.[axis]).toBeCloseTo(0.25, 9)
  })

  it('has the vectors that are given', () => {
    const vectors = { a: [0, 1, 1], b: [1, 0, 1], c: [1, 1, 0], alat: 2 } as const
    const { lattice } = structureOfMaterial({ ...silicon, lattice: { ...silicon.lattice, vectors } })
    expect(lattice[0]).toEqual([0, 2, 2])
  })
})

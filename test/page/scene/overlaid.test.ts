import { describe, expect, it } from 'vitest'
import { firstView, fitted } from '../../../src/page/scene/camera.ts'
import type { Rgb } from '../../../src/page/scene/colors.ts'
import { drawSvg } from '../../../src/page/scene/draw-svg.ts'
import { type LaidStructure, overlaidScene, upright } from '../../../src/page/scene/overlaid.ts'
import { sceneOf } from '../../../src/page/scene/scene.ts'
import type { Structure } from '../../../src/page/scene/structure.ts'
import { distance, length, type Matrix3, type Vector3 } from '../../../src/page/scene/vector.ts'
import { nameOf } from '../../../web/crystal/measuring.ts'
import { cubic, DIAMOND, ROCK_SALT, sample } from './known-crystals.ts'

const BLUE: Rgb = [0, 0, 255]
const RED: Rgb = [255, 0, 0]
const SIZE = { width: 200, height: 150 }

function laid(number: number, structure: Structure, change: Partial<LaidStructure> = {}): LaidStructure {
  return { number, name: `Crystal ${number}`, structure, color: number === 1 ? BLUE : RED, isShown: true, ...change }
}

/** The same crystal with its vectors turned about z, and stretched. */
function turned({ lattice, ...rest }: Structure, factor = 1): Structure {
  const turn = ([x, y, z]: Vector3): Vector3 => [-y * factor, x * factor, z * factor]
  return { ...rest, lattice: lattice.map(turn) as unknown as Matrix3 }
}

describe('crystals that are laid on each other', () => {
  it('have a along x and b in the xy plane, and are otherwise as they were', () => {
    const { lattice } = upright(turned(sample('c-graphite')))
    const given = sample('c-graphite').lattice
    expect([lattice[0][1], lattice[0][2], lattice[1][2]].every((part) => Math.abs(part) < 1e-12)).toBe(true)
    expect(lattice[1][1]).toBeGreaterThan(0)
    for (const axis of [0, 1, 2] as const) {
      expect(length(lattice[axis])).toBeCloseTo(length(given[axis]), 12)
      const next = ((axis + 1) % 3) as 0 | 1 | 2
      expect(distance(lattice[axis], lattice[next])).toBeCloseTo(distance(given[axis], given[next]), 12)
    }
  })

  it('are at the same places where they are the same, whichever way their files have them', () => {
    const alone = sceneOf(upright(ROCK_SALT))
    const { positions, kinds, radii, layers } = overlaidScene(
      [laid(1, ROCK_SALT), laid(2, turned(ROCK_SALT))],
      'own',
      {},
    )
    const count = alone.positions.length
    expect(positions).toHaveLength(2 * count)
    for (let atom = 0; atom < count; atom++)
      expect(distance(positions[atom] as Vector3, positions[count + atom] as Vector3)).toBeLessThan(1e-9)
    const [ball, ring] = [kinds[0] as number, kinds[count] as number]
    expect([layers?.colors[ball], layers?.colors[ring]]).toEqual([BLUE, RED])
    // The ring begins outside of the ball.
    expect(layers?.holes[ball]).toBe(0)
    expect((layers?.holes[ring] as number) * (radii[ring] as number)).toBeGreaterThan(radii[ball] as number)
  })

  it('have bonds and edges of their own, each in its colour', () => {
    const scene = overlaidScene([laid(1, ROCK_SALT), laid(2, DIAMOND)], 'own', {})
    const count = sceneOf(ROCK_SALT).atoms.length
    expect(scene.bonds.every(([from, to]) => from < count === to < count)).toBe(true)
    expect(scene.bonds.some(([from]) => from >= count)).toBe(true)
    expect(scene.layers?.edgeColors).toEqual([...Array(12).fill(BLUE), ...Array(12).fill(RED)])
    expect(nameOf(scene, 0)).toBe('Na 1 (crystal 1)')
    expect(nameOf(scene, count)).toBe('C 1 (crystal 2)')
    const { starts, atoms } = scene.neighbours
    const ofCarbon = atoms.subarray(starts[8], starts[9])
    expect([...ofCarbon].map((site) => scene.structure.species[site])).toEqual(['C', 'C', 'C', 'C'])
  })

  it('differ by their fractions alone in one cell, which is drawn once', () => {
    const wide = turned(ROCK_SALT, 1.1)
    const own = overlaidScene([laid(1, ROCK_SALT), laid(2, wide)], 'own', {})
    const one = overlaidScene([laid(1, ROCK_SALT), laid(2, wide)], 'first', {})
    const farthest = ({ positions }: typeof own) => Math.max(...positions.map((place) => length(place)))
    expect(farthest(own) / farthest(one)).toBeCloseTo(1.1, 9)
    expect([own.edges.length, one.edges.length]).toEqual([24, 12])
  })

  it('stay where they are when one of them is hidden, and when all are', () => {
    const wide = { ...DIAMOND, lattice: cubic(9) }
    const both = overlaidScene([laid(1, ROCK_SALT), laid(2, wide)], 'own', {})
    const second = overlaidScene([laid(1, ROCK_SALT, { isShown: false }), laid(2, wide)], 'own', {})
    const none = [laid(1, ROCK_SALT, { isShown: false }), laid(2, wide, { isShown: false })]
    const rotation = firstView(ROCK_SALT.lattice)
    for (const scene of [second, overlaidScene(none, 'own', {})])
      expect(fitted(scene, rotation, SIZE)).toEqual(fitted(both, rotation, SIZE))
    expect(second.layers?.numbers).toEqual(Array(8).fill(2))
    expect(overlaidScene(none, 'own', {}).atoms).toEqual([])
  })

  it('are told one after the other, each by its number', () => {
    const { layers } = overlaidScene(
      [laid(1, ROCK_SALT), laid(3, DIAMOND), laid(4, DIAMOND, { isShown: false })],
      'own',
      {},
    )
    expect(layers?.told).toMatch(
      /^2 of 3 structures laid on each other, each in its own cell\. 1, Crystal 1: 8 atoms .* 3, Crystal 3: 8 atoms \(8 C\)/,
    )
    expect(layers?.told).not.toContain('Crystal 4')
  })

  it('are shapes in a picture: balls of one, rings of the other', () => {
    const scene = overlaidScene([laid(1, ROCK_SALT), laid(2, DIAMOND)], 'own', {})
    const svg = drawSvg(scene, fitted(scene, firstView(ROCK_SALT.lattice), SIZE), { theme: 'light', title: 'x' })
    const count = sceneOf(ROCK_SALT).atoms.length
    expect(svg.match(/<circle [^>]*fill="url\(#e/g)).toHaveLength(count)
    expect(svg.match(/<circle [^>]*fill="none" stroke="#ff0000"/g)).toHaveLength(scene.atoms.length - count)
    expect(svg).toContain('stop-color="#0000ff"')
  })
})

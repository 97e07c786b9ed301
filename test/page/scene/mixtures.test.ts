import { describe, expect, it } from 'vitest'
import { firstView, fitted } from '../../../src/page/scene/camera.ts'
import { describe as inWords } from '../../../src/page/scene/describe.ts'
import { drawSvg } from '../../../src/page/scene/draw-svg.ts'
import { type MaterialFields, structureOfMaterial } from '../../../src/page/scene/material-structure.ts'
import { slicesOf } from '../../../src/page/scene/mixtures.ts'
import { legendOf, sceneOf } from '../../../src/page/scene/scene.ts'

const LATTICE = { a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 }
const MATERIAL = {
  lattice: LATTICE,
  basis: {
    elements: [
      { id: 0, value: 'Au', occurrence: 0.25 },
      { id: 1, value: 'O' },
      { id: 2, value: 'Cu', occurrence: 0.625 },
    ],
    coordinates: [
      { id: 0, value: [0, 0, 0] },
      { id: 1, value: [0.5, 0.5, 0.5] },
      { id: 2, value: [1, 0, 0] },
    ],
  },
} as unknown as MaterialFields
const structure = structureOfMaterial(MATERIAL)

describe('a site that species share', () => {
  it('is one site of the drawing, named by the largest share, and knows its entry of the basis', () => {
    expect(structure.species).toEqual(['Cu', 'O'])
    expect(structure.entries).toEqual([2, 1])
    expect(structure.mixtures?.get(0)).toEqual([
      { symbol: 'Cu', share: 0.625 },
      { symbol: 'Au', share: 0.25 },
    ])
    expect(structure.mixtures?.has(1)).toBe(false)
  })

  it('is a kind of its own beside whole atoms of the same element', () => {
    const { basis } = MATERIAL
    const elements = [...basis.elements, { id: 3, value: 'Cu' }]
    const coordinates = [...basis.coordinates, { id: 3, value: [0.5, 0, 0.5] as const }]
    const { kinds, mixtures } = sceneOf(structureOfMaterial({ lattice: LATTICE, basis: { elements, coordinates } }), {
      boundary: false,
    })
    expect([...kinds]).toEqual([0, 1, 2])
    expect(mixtures.map((mixture) => mixture?.length ?? null)).toEqual([2, null, null])
  })

  it('is told of in the legend by shares, and in words with what is empty', () => {
    expect(legendOf(structure)).toEqual([
      { symbol: 'Cu', count: 0.625 },
      { symbol: 'Au', count: 0.25 },
      { symbol: 'O', count: 1 },
    ])
    expect(inWords(sceneOf(structure))).not.toMatch(/Infinity|Au is bonded/)
    expect(inWords(sceneOf(structure))).toMatch(/^2 sites .*Sites have Cu 62\.5 %, Au 25 %, empty 12\.5 %\./)
  })

  it('has slices that go once around; of many, the smallest are one', () => {
    const ends = (shares: readonly number[]) =>
      slicesOf(
        shares.map((share) => ({ symbol: 'Fe', share })),
        'light',
      ).map(({ end }) => end)
    expect(ends([0.625, 0.25])).toEqual([0.625, 0.875, 1])
    expect(ends([0.75, 0.25])).toEqual([0.75, 1])
    expect(ends([0.4, 0.3, 0.2, 0.1])).toEqual([0.4, 0.7, 1])
  })

  it('is a pie in a picture, and an ordered crystal has none', () => {
    const picture = (of: typeof structure) => {
      const scene = sceneOf(of, { boundary: false })
      const rotation = firstView(of.lattice)
      return drawSvg(scene, fitted(scene, rotation, { width: 100, height: 100 }), { theme: 'light', title: 'x' })
    }
    expect(picture(structure).match(/<path d="M[^"]*A/g)).toHaveLength(3)
    expect(picture({ ...structure, mixtures: new Map() })).not.toMatch(/<path d="M[^"]*A|mixed/)
  })
})

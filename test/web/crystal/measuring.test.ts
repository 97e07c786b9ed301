import { describe, expect, it } from 'vitest'
import { firstView, fitted, project } from '../../../src/page/scene/camera.ts'
import { sceneOf } from '../../../src/page/scene/scene.ts'
import type { Vector3 } from '../../../src/page/scene/vector.ts'
import { commandOf } from '../../../web/crystal/key-commands.ts'
import { measureOf, nameOf, toldAtom, withPicked } from '../../../web/crystal/measuring.ts'
import { atomAt } from '../../../web/crystal/picking.ts'
import { DIAMOND, ROCK_SALT } from '../../page/scene/known-crystals.ts'

const scene = sceneOf(ROCK_SALT)
const atomNamed = (told: string) => scene.atoms.findIndex((_, atom) => toldAtom(scene, atom) === told)

describe('measuring', () => {
  it('takes up to three atoms, begins anew with the fourth, and lets go of one that is picked again', () => {
    expect([1, 2, 3].reduce(withPicked, [] as readonly number[])).toEqual([1, 2, 3])
    expect(withPicked([1, 2, 3], 4)).toEqual([4])
    expect(withPicked([1, 2], 1)).toEqual([2])
  })

  it('says the distance of two atoms and the angle at the second of three', () => {
    const [sodium, chlorine, other] = ['Na 1 at 0, 0, 0', 'Cl 8 at 0, 0, 0.5', 'Na 2 at 0, 0.5, 0.5'].map(atomNamed)
    const pair = [sodium, chlorine] as number[]
    expect(measureOf(scene, pair)).toMatchObject({ kind: 'distance', text: '2.820 Å' })
    expect(measureOf(scene, [...pair, other as number])?.sentence).toBe('Na 1 – Cl 8 – Na 2: 90.00°')
    expect(measureOf(scene, [0])).toBeNull()
  })

  it('names atoms as the structure counts them', () => {
    expect(nameOf(scene, atomNamed('Na 1 at 1, 1, 1'))).toBe('Na 1')
  })
})

describe('picking', () => {
  const camera = fitted(scene, firstView(ROCK_SALT.lattice), { width: 400, height: 300 })
  const places = scene.positions.map((position) => project(camera, position))

  it('finds the atom that is seen there, not one behind it', () => {
    const nearest = places.reduce((best, [, , z], atom) => (z > (places[best] as Vector3)[2] ? atom : best), 0)
    const [x, y] = places[nearest] as Vector3
    expect(atomAt(scene, camera, [x + 2, y - 2])).toBe(nearest)
    const behind = sceneOf(DIAMOND)
    const front = {
      ...camera,
      rotation: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      center: behind.center,
    } as const
    const [px, py] = project(front, behind.positions[0] as Vector3)
    const found = atomAt(behind, front, [px, py]) as number
    expect((behind.positions[found] as Vector3)[2]).toBeGreaterThan((behind.positions[0] as Vector3)[2])
  })

  it('finds nothing beside them', () => {
    expect(atomAt(scene, camera, [1, 1])).toBeNull()
  })
})

describe('keys', () => {
  const press = (key: string, shiftKey = false, ctrlKey = false) => ({
    key,
    shiftKey,
    ctrlKey,
    altKey: false,
    metaKey: false,
  })

  it('turn, zoom and look along, but not with keys that the browser has', () => {
    expect(commandOf(press('ArrowLeft'), false)).toMatchObject({ does: 'turn', down: 0 })
    expect(commandOf(press('2'), false)).toEqual({ does: 'along', axis: 1 })
    expect(commandOf(press('-'), false)).toMatchObject({ does: 'zoom' })
    expect(commandOf(press('+', true, true), false)).toBeNull()
  })

  it('go from atom to atom only while measuring, so that Tab leaves otherwise', () => {
    expect(commandOf(press('Tab'), false)).toBeNull()
    expect(commandOf(press('Tab', true), true)).toEqual({ does: 'step', by: -1 })
    expect(commandOf(press('Enter'), true)).toEqual({ does: 'choose' })
    expect(commandOf(press('Escape'), true)).toEqual({ does: 'leave' })
    expect(commandOf(press('Escape'), false)).toBeNull()
  })
})

import type { Scene } from '../../src/page/scene/scene.ts'
import { angle, distance, type Vector3 } from '../../src/page/scene/vector.ts'

/** What was measured between atoms of a scene. */
export interface Measure {
  readonly kind: 'distance' | 'angle'
  readonly value: number
  readonly unit: 'Å' | '°'
  /** `2.820 Å` */
  readonly text: string
  /** `Na 1 – Cl 5: 2.820 Å` */
  readonly sentence: string
}

/** Two atoms have a distance, three an angle. */
const MOST_PICKED = 3

/** The atoms to measure between, after one more is picked: the fourth begins anew, one that is picked again is let go. */
export function withPicked(picked: readonly number[], atom: number): readonly number[] {
  if (picked.includes(atom)) return picked.filter((other) => other !== atom)
  return picked.length === MOST_PICKED ? [atom] : [...picked, atom]
}

export function measureOf(scene: Scene, picked: readonly number[]): Measure | null {
  const [p, q, r] = picked.map((atom) => scene.positions[atom] as Vector3)
  if (p === undefined || q === undefined) return null
  const names = picked.map((atom) => nameOf(scene, atom)).join(' – ')
  const told = (kind: Measure['kind'], value: number, text: string, unit: Measure['unit']): Measure => ({
    kind,
    value,
    unit,
    text,
    sentence: `${names}: ${text}`,
  })
  if (r === undefined) return told('distance', distance(p, q), `${distance(p, q).toFixed(3)} Å`, 'Å')
  return told('angle', angle(p, q, r), `${angle(p, q, r).toFixed(2)}°`, '°')
}

/** `Na 1`: the element, and which atom of the structure it is, counted from 1; where several are laid on each other, `Na 1 (crystal 2)`. */
export function nameOf({ structure, atoms, layers }: Scene, atom: number): string {
  const site = atoms[atom]?.site ?? 0
  const name = `${structure.species[site]} ${(structure.entries?.[site] ?? site) + 1}`
  return layers === undefined ? name : `${name} (crystal ${layers.numbers[site]})`
}

/** An atom with its place in fractions of the cell. */
export function placeOf({ structure, atoms }: Scene, atom: number): Vector3 {
  const { site, cell } = atoms[atom] ?? { site: 0, cell: [0, 0, 0] }
  const fraction = structure.fractions[site] ?? [0, 0, 0]
  return [fraction[0] + cell[0], fraction[1] + cell[1], fraction[2] + cell[2]]
}

/** `Na 1 at 0, 0.5, 0.5` */
export function toldAtom(scene: Scene, atom: number): string {
  const place = placeOf(scene, atom).map((along) => String(Number(along.toFixed(4))))
  return `${nameOf(scene, atom)} at ${place.join(', ')}`
}

/** What the event `pick` tells. */
export interface Picked {
  /** Which atom of the structure, counted from 0. */
  readonly site: number
  readonly element: string
  /** In fractions of a, b and c, of the image that was picked. */
  readonly fraction: Vector3
  readonly text: string
}

export function pickedOf(scene: Scene, atom: number): Picked {
  const site = scene.atoms[atom]?.site ?? 0
  const element = scene.structure.species[site] ?? ''
  return { site, element, fraction: placeOf(scene, atom), text: toldAtom(scene, atom) }
}

/** The next atom for the keyboard; null at the end, where it leaves the picture. */
export function stepped(cursor: number | null, by: 1 | -1, count: number): number | null {
  const next = cursor === null ? (by === 1 ? 0 : count - 1) : cursor + by
  return next >= 0 && next < count ? next : null
}

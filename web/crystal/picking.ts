import { type Camera, project } from '../../src/page/scene/camera.ts'
import type { Scene } from '../../src/page/scene/scene.ts'

/** A finger is not as exact as a pointer, in pixels. */
const LEAST_REACH = 6

/** The atom that is seen at a place of the picture; null where there is none. */
export function atomAt(scene: Scene, camera: Camera, [x, y]: readonly [number, number]): number | null {
  let [best, nearest]: [number | null, number] = [null, Number.NEGATIVE_INFINITY]
  for (const [atom, position] of scene.positions.entries()) {
    const [px, py, depth] = project(camera, position)
    const radius = scene.radii[scene.kinds[atom] as number] as number
    const reach = Math.max(LEAST_REACH, radius * camera.scale)
    const far = Math.hypot(px - x, py - y)
    if (far > reach) continue
    const surface = depth + Math.sqrt(Math.max(0, radius * radius - (far / camera.scale) ** 2))
    if (surface > nearest) [best, nearest] = [atom, surface]
  }
  return best
}

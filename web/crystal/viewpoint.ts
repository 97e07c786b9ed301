import { along, type Camera, firstView, fitted, spun, turned } from '../../src/page/scene/camera.ts'
import type { Scene } from '../../src/page/scene/scene.ts'
import type { Axis } from '../../src/page/scene/structure.ts'
import { add, combine, type Matrix3, type Vector3 } from '../../src/page/scene/vector.ts'

const [LEAST_ZOOM, MOST_ZOOM] = [0.3, 40]

/** From where somebody looks at a crystal, and how near. */
export class Viewpoint {
  #lattice: Matrix3 | null = null
  rotation: Matrix3 | null = null
  /** How it was turned when its size was chosen, so that turning does not change that. */
  #fit: Matrix3 | null = null
  #zoom = 1
  /** In Å, from the middle of the scene. */
  #shift: Vector3 = [0, 0, 0]

  /** Looks at another crystal, from where one is seen at first. */
  begin(lattice: Matrix3 | null): void {
    this.#lattice = lattice
    this.#show(lattice === null ? null : firstView(lattice))
    this.#zoom = 1
    this.#shift = [0, 0, 0]
  }

  reset(): void {
    this.begin(this.#lattice)
  }

  along(axis: Axis): void {
    if (this.#lattice !== null) this.#show(along(this.#lattice, axis))
  }

  #show(rotation: Matrix3 | null): void {
    this.rotation = rotation
    this.#fit = rotation
  }

  turn(right: number, down: number): void {
    if (this.rotation !== null) this.rotation = turned(this.rotation, right, down)
  }

  /** Around the direction to the viewer. */
  spin(angle: number): void {
    if (this.rotation !== null) this.rotation = spun(this.rotation, [0, 1], angle)
  }

  zoom(by: number): void {
    this.#zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.#zoom * by))
  }

  /** By pixels of a camera. */
  move({ rotation, scale }: Camera, right: number, down: number): void {
    this.#shift = add(this.#shift, combine([-right / scale, down / scale, 0], rotation))
  }

  /** Null before there is anything to see. */
  camera(scene: Scene, size: { readonly width: number; readonly height: number }): Camera | null {
    if (this.rotation === null || this.#fit === null) return null
    const whole = fitted(scene, this.#fit, size)
    const center = add(whole.center, this.#shift)
    return { ...whole, rotation: this.rotation, scale: whole.scale * this.#zoom, center }
  }
}

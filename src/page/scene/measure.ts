import { dot, length, subtract, type Vector3 } from './vector.ts'

/** Distance of two places, in their unit. */
export function distance(p: Vector3, q: Vector3): number {
  return length(subtract(p, q))
}

/** The angle at the second of three places, in degrees. */
export function angle(p: Vector3, apex: Vector3, q: Vector3): number {
  const [u, v] = [subtract(p, apex), subtract(q, apex)]
  const cosine = dot(u, v) / (length(u) * length(v))
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI
}

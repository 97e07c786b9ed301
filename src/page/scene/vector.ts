/** Three numbers: a place, a direction, fractions of a cell. */
export type Vector3 = readonly [number, number, number]
/** Three vectors as rows. */
export type Matrix3 = readonly [Vector3, Vector3, Vector3]

export function add(u: Vector3, v: Vector3): Vector3 {
  return [u[0] + v[0], u[1] + v[1], u[2] + v[2]]
}

export function subtract(u: Vector3, v: Vector3): Vector3 {
  return [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}

export function scale(u: Vector3, factor: number): Vector3 {
  return [u[0] * factor, u[1] * factor, u[2] * factor]
}

export function dot(u: Vector3, v: Vector3): number {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

export function cross(u: Vector3, v: Vector3): Vector3 {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

export function length(u: Vector3): number {
  return Math.hypot(u[0], u[1], u[2])
}

/** The vector of length 1 in this direction. */
export function unit(u: Vector3): Vector3 {
  return scale(u, 1 / length(u))
}

/** From fractions of the rows of a matrix to what they add up to. */
export function combine([u, v, w]: Vector3, [a, b, c]: Matrix3): Vector3 {
  return [u * a[0] + v * b[0] + w * c[0], u * a[1] + v * b[1] + w * c[1], u * a[2] + v * b[2] + w * c[2]]
}

/** The volume that three rows span; negative where they are left-handed. */
export function determinant([a, b, c]: Matrix3): number {
  return dot(a, cross(b, c))
}

/** The distances between opposite faces of a cell, along a, b and c. */
export function heightsOf([a, b, c]: Matrix3): Vector3 {
  const volume = Math.abs(determinant([a, b, c]))
  return [volume / length(cross(b, c)), volume / length(cross(c, a)), volume / length(cross(a, b))]
}

export function distance(p: Vector3, q: Vector3): number {
  return length(subtract(p, q))
}

/** The angle at the second of three places, in degrees. */
export function angle(p: Vector3, apex: Vector3, q: Vector3): number {
  const [u, v] = [subtract(p, apex), subtract(q, apex)]
  const cosine = dot(u, v) / (length(u) * length(v))
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI
}

import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { tidy } from '../../cell.ts'
import type { Vector3 } from '../../linear-algebra.ts'
import { hasNonZero } from '../common/format.ts'
import { asVector, takeWhole } from './json-fields.ts'

const ALONG_Z: Vector3 = [0, 0, 1]

/** A number is a moment along z, as in collinear calculations; three numbers are a vector, of the axes that `saxis` names. One of no such axis is not read, and so in the rest. */
export function readMoment(properties: JsonObject): Vector3 | undefined {
  const name =
    hasNonZero(ownField(properties, 'magmom')) || isJsonObject(ownField(properties, 'magmom')) ? 'magmom' : 'spin'
  const value = ownField(properties, name)
  const isOnAxis = isJsonObject(value)
  const moment = isOnAxis ? ownField(value, 'moment') : value
  const saxis = isOnAxis ? (ownField(value, 'saxis') ?? null) : null
  const axis = saxis === null ? ALONG_Z : axisOf(saxis)
  if (hasNonZero(moment) && axis === undefined) return undefined
  takeWhole(properties, name)
  if (!hasNonZero(moment)) return undefined
  const own = typeof moment === 'number' ? ([0, 0, moment] as const) : asVector(moment, `properties.${name}`)
  return turned(own, axis ?? ALONG_Z)
}

function axisOf(value: Json): Vector3 | undefined {
  const isVector = isJsonArray(value) && value.length === 3 && value.every((x) => typeof x === 'number')
  return isVector && hasNonZero(value) ? (value as unknown as Vector3) : undefined
}

/** A moment whose z axis is the spin axis of VASP, in the axes of the crystal. */
function turned(moment: Vector3, [u, v, w]: Vector3): Vector3 {
  const [x, y, z] = moment
  const across = Math.hypot(u, v)
  if (across === 0 && w > 0) return moment
  const size = Math.hypot(across, w)
  const [cosA, sinA] = across === 0 ? [1, 0] : [u / across, v / across]
  const [cosB, sinB] = [w / size, across / size]
  const inPlane = x * cosB + z * sinB
  return [inPlane * cosA - y * sinA, inPlane * sinA + y * cosA, z * cosB - x * sinB].map(tidy) as unknown as Vector3
}

/** The spin of a species, along z. */
export function readSpin(owner: JsonObject): Vector3 | undefined {
  const spin = ownField(owner, 'spin')
  if (typeof spin !== 'number') return undefined
  takeWhole(owner, 'spin')
  return spin === 0 ? undefined : [0, 0, spin]
}

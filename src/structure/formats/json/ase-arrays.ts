import { isJsonArray, isJsonObject, type Json, ownField } from '../../../kernel/json.ts'
import { wrongField } from './json-fields.ts'

/** An array as numpy arrays are written, `{"__ndarray__": [shape, type, values]}`, or a plain list. */
export function unpackArray(value: Json | undefined, path: string): Json | undefined {
  if (!isJsonObject(value)) return value
  const inner = ownField(value, 'array') ?? ownField(value, '__ndarray__')
  if (ownField(value, 'array') !== undefined) return unpackArray(ownField(value, 'array'), `${path}.array`)
  if (!isJsonArray(inner) || inner.length !== 3)
    throw wrongField(`${path}.__ndarray__`, inner, 'shape, type and values')
  const [shape, , values] = inner
  if (!isJsonArray(shape) || !isJsonArray(values))
    throw wrongField(`${path}.__ndarray__`, inner, 'shape, type and values')
  const [, width] = shape
  if (shape.length !== 2 || typeof width !== 'number' || isJsonArray(values[0])) return values
  if (!(Number.isInteger(width) && width > 0)) return []
  return Array.from({ length: Math.ceil(values.length / width) }, (_, row) =>
    values.slice(row * width, (row + 1) * width),
  )
}

import type { FieldKind } from '../../query/warnings/field-knowledge.ts'
import { pathOfType } from './leaf-key.ts'

/** What is counted of a field: kinds of values, and `leftOut`, values that the leaf index does not hold. */
export type CountedKind = FieldKind | 'leftOut'

/** In the order of their numbers; the first four are the types of the leaf index. */
const COUNTED_KINDS: readonly CountedKind[] = ['null', 'number', 'string', 'boolean', 'array', 'object', 'leftOut']
const NUMBER_OF = new Map(COUNTED_KINDS.map((kind, number) => [kind, number]))

const KINDS_PER_PATH = 8
const TYPES_PER_PATH = 4

/** The second column of `field_kind`: a path and a kind in one number. */
export function pathKindOf(path: number, kind: CountedKind): number {
  return path * KINDS_PER_PATH + (NUMBER_OF.get(kind) ?? 0)
}

/** The same for a path and a type of the leaf index, in one number already. */
export function pathKindOfType(pathType: number): number {
  return pathOfType(pathType) * KINDS_PER_PATH + (pathType % TYPES_PER_PATH)
}

/** The kind of such a number. */
export function kindOf(pathKind: number): CountedKind {
  return COUNTED_KINDS[pathKind % KINDS_PER_PATH] as CountedKind
}

/** The first and the last number of a path, over all kinds. */
export function pathKindRange(path: number): readonly [number, number] {
  return [path * KINDS_PER_PATH, path * KINDS_PER_PATH + KINDS_PER_PATH - 1]
}

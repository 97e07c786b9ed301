import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/kernel/json.ts'

/** Few names and few values, so that filters meet the documents that they ask for. */
const KEYS = ['a', 'b', 'c', '0', '1', 'x y', 'é', '[]', '__proto__', 'constructor'] as const
/** Names that no path can spell. */
export const ODD_KEYS = ['', 'a.b', '$a'] as const

const LONG = 'm'.repeat(250)
const TEXTS = [
  '',
  'a',
  'ab',
  'b',
  'B',
  'é',
  '\u{1f600}',
  '\uffff',
  '\ud800',
  `${LONG}nnn`,
  `${LONG}nnnnnnn`,
  `${LONG}nnnnnnnz`,
]
const NUMBERS = [0, -0, 1, 2, 3, -1, 1.5, 2 ** 53, 2 ** 53 + 2, -(2 ** 31), 1e300, 5e-324]

/** A scalar of the small alphabet. */
export const scalars: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS.slice(0, 6)) },
  { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 3, arbitrary: fc.constantFrom('a', 'ab', 'b') },
  { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.boolean() },
)

/** Arrays of numbers, which the index may leave out. */
export const vectors: fc.Arbitrary<Json> = fc.array(fc.constantFrom(0, 1, 2, 0.5), { minLength: 3, maxLength: 10 })

/** Names of fields as a path can spell them. */
export const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 2, arbitrary: fc.constantFrom(...KEYS) },
)
const documentKeys = fc.oneof({ weight: 12, arbitrary: keys }, { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS) })

/** Objects of such names and values. */
export function objectsOf(
  values: fc.Arbitrary<Json>,
  names: fc.Arbitrary<string>,
  minLength = 0,
): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(names, values), { minLength, maxLength: 3 }).map(objectOf)
}

/** `fromEntries` keeps `__proto__` as a field of its own. */
export function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries)
}

const { value: values } = fc.letrec<{ value: Json; array: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: scalars },
    { weight: 3, arbitrary: tie('array') },
    { weight: 3, arbitrary: tie('object') },
    { weight: 1, arbitrary: vectors },
  ),
  array: fc.array(tie('value'), { maxLength: 4 }),
  object: objectsOf(tie('value'), documentKeys),
}))

/** Documents rich in arrays, nulls, mixed types, Unicode and numeric keys. */
export const documents: fc.Arbitrary<JsonObject> = objectsOf(values, documentKeys)

/** Dotted paths over the same names. */
export const paths: fc.Arbitrary<string> = fc
  .array(keys, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('.'))

/** Values to compare with. */
export const literals: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.array(scalars, { maxLength: 2 }), { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: objectsOf(scalars, keys, 1) },
  { weight: 1, arbitrary: vectors },
)

import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/kernel/json.ts'

/** Few names and few values, so that filters meet the documents that they ask for. */
const KEYS = ['a', 'b', 'c', '0', '1', 'x y', 'é', '[]', '__proto__', 'constructor'] as const
const ODD_KEYS = ['', 'a.b', '$a'] as const

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

const vectors: fc.Arbitrary<Json> = fc.array(fc.constantFrom(0, 1, 2, 0.5), { minLength: 3, maxLength: 10 })

const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 2, arbitrary: fc.constantFrom(...KEYS) },
)
const documentKeys = fc.oneof({ weight: 12, arbitrary: keys }, { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS) })

function objectsOf(values: fc.Arbitrary<Json>, names: fc.Arbitrary<string>, minLength = 0): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(names, values), { minLength, maxLength: 3 }).map(objectOf)
}

/** `fromEntries` keeps `__proto__` as a field of its own. */
function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
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

const literals: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: objectsOf(scalars, keys, 1) },
  { weight: 1, arbitrary: vectors },
)

const patterns = fc.constantFrom('^a', 'a', '^ab', 'b$', '^m', '.', '^$', 'É')

const leafConditions: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ $eq: literals }),
  fc.record({ $ne: literals }),
  fc.record({ $gt: literals }),
  fc.record({ $gte: literals, $lt: literals }),
  fc.record({ $gte: literals }),
  fc.record({ $lte: literals }),
  fc.record({ $in: fc.array(literals, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(literals, { maxLength: 3 }) }),
  fc.record({ $all: fc.array(literals, { maxLength: 3 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $size: fc.nat(3) }),
  fc.record({ $type: fc.constantFrom('null', 'number', 'int', 'double', 'string', 'bool', 'array', 'object') }),
  fc.record({ $regex: patterns, $options: fc.constantFrom('', 'i', 'm') }),
  fc.record({ $mod: fc.tuple(fc.constantFrom(2, 3), fc.nat(2)) }),
  fc.record({ $bitsAnySet: fc.nat(3) }),
)

type Filters = { filter: JsonObject; condition: JsonObject }

const filterRules = fc.letrec<Filters>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: leafConditions },
    { weight: 1, arbitrary: fc.record({ $not: tie('condition') }) },
    { weight: 1, arbitrary: fc.record({ $elemMatch: tie('condition') }) },
    { weight: 1, arbitrary: fc.record({ $elemMatch: tie('filter') }) },
  ),
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: fc.tuple(paths, tie('condition')).map((entry) => objectOf([entry])) },
    { weight: 2, arbitrary: fc.tuple(paths, literals).map((entry) => objectOf([entry])) },
    { weight: 1, arbitrary: fc.array(fc.tuple(paths, tie('condition')), { minLength: 2, maxLength: 2 }).map(objectOf) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map(($and) => ({ $and })) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }).map(($nor) => ({ $nor })) },
  ),
}))

/** Filters over the same names and values; a few of them are refused by the language. */
export const filters: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 12, arbitrary: filterRules.filter },
  { weight: 1, arbitrary: fc.constant({}) },
)

/** Sorts of up to two keys; empty is natural order. */
export const sorts: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(paths, fc.constantFrom(1, -1)), { maxLength: 2 })
  .map(objectOf)

/** Fields to include or to exclude; some of them collide and are refused. */
export function projections(flag: 0 | 1): fc.Arbitrary<JsonObject> {
  return fc.array(paths, { minLength: 1, maxLength: 3 }).map((names) => objectOf(names.map((name) => [name, flag])))
}

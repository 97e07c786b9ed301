import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { keys, literals, objectOf, paths, scalars } from './arbitraries.ts'
import { expressions } from './arbitrary-expressions.ts'

const patterns = fc.constantFrom('^a', 'a', '^ab', 'b$', '^m', '.', '^$', 'É')
const wrappedPatterns: fc.Arbitrary<JsonObject> = fc
  .tuple(patterns, fc.constantFrom('', 'i'))
  .map(([pattern, options]) => ({ $regularExpression: { pattern, options } }))

const items = fc.array(fc.oneof({ weight: 4, arbitrary: literals }, { weight: 1, arbitrary: wrappedPatterns }), {
  maxLength: 3,
})

const types = fc.constantFrom(
  'null',
  'number',
  'int',
  'long',
  'double',
  'string',
  'bool',
  'array',
  'object',
  'date',
  16,
)
const masks: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(0, 1, 2, 3, 2 ** 33),
  fc.array(fc.constantFrom(0, 1, 31, 63, 70), { maxLength: 2 }),
)
const numbersInExtendedJson = fc.constantFrom<Json>({ $numberInt: '1' }, { $numberDouble: '1.5' }, { $numberLong: '2' })

/** One operator, or two that belong together, on the values at a path. */
const leafConditions: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ $eq: literals }),
  fc.record({ $ne: literals }),
  fc.record({ $gt: literals }),
  fc.record({ $gte: literals, $lt: literals }),
  fc.record({ $gte: literals }),
  fc.record({ $lte: literals }),
  fc.record({ $gt: numbersInExtendedJson }),
  fc.record({ $in: items }),
  fc.record({ $nin: items }),
  fc.record({ $all: items }),
  fc.record({ $exists: fc.constantFrom<Json>(true, false, 0, 1, null) }),
  fc.record({ $size: fc.nat(3) }),
  fc.record({ $type: fc.oneof(types, fc.array(types, { minLength: 1, maxLength: 2 })) }),
  fc.record({ $regex: patterns, $options: fc.constantFrom('', 'i', 'm', 's', 'x') }),
  fc.record({ $mod: fc.tuple(fc.constantFrom(2, 3, -2, 1.9), fc.constantFrom(0, 1, -1, 2)) }),
  fc.record({ $bitsAllSet: masks }),
  fc.record({ $bitsAnySet: masks }),
  fc.record({ $bitsAllClear: masks }),
  fc.record({ $bitsAnyClear: masks }),
  fc.record({ $comment: fc.constant('nothing'), $exists: fc.boolean() }),
)

type Filters = { filter: JsonObject; condition: JsonObject }

const filterRules = fc.letrec<Filters>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 8, arbitrary: leafConditions },
    { weight: 1, arbitrary: fc.record({ $not: tie('condition') }) },
    { weight: 1, arbitrary: fc.record({ $not: wrappedPatterns }) },
    { weight: 1, arbitrary: fc.record({ $elemMatch: tie('condition') }) },
    { weight: 1, arbitrary: fc.record({ $elemMatch: tie('filter') }) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ $elemMatch: tie('condition') }), { minLength: 1, maxLength: 2 }).map(($all) => ({
        $all,
      })),
    },
  ),
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: fc.tuple(paths, tie('condition')).map((entry) => objectOf([entry])) },
    { weight: 2, arbitrary: fc.tuple(paths, literals).map((entry) => objectOf([entry])) },
    { weight: 1, arbitrary: fc.array(fc.tuple(paths, tie('condition')), { minLength: 2, maxLength: 2 }).map(objectOf) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map(($and) => ({ $and })) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }).map(($nor) => ({ $nor })) },
    { weight: 1, arbitrary: expressions.map(($expr) => ({ $expr })) },
  ),
}))

/** Conditions on the values at a path. */
export const conditions: fc.Arbitrary<JsonObject> = filterRules.condition

/** Filters over the same names and values; a few of them are refused by the language. */
export const filters: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 12, arbitrary: filterRules.filter },
  { weight: 1, arbitrary: fc.constant({}) },
)

/** A filter with the `arr.$` that may go with it. */
export const pointedFilters: fc.Arbitrary<readonly [filter: JsonObject, positional: string]> = fc
  .tuple(fc.array(keys, { minLength: 1, maxLength: 3 }), fc.oneof(filterRules.condition, scalars), filterRules.filter)
  .chain(([parts, condition, other]) => {
    const entry = objectOf([[parts.join('.'), condition]])
    return fc.tuple(
      fc.constantFrom<JsonObject>(entry, { $and: [other, entry] }, { $or: [entry, entry] }),
      fc.integer({ min: 1, max: parts.length }).map((length) => parts.slice(0, length).join('.')),
    )
  })

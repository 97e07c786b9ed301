import fc from 'fast-check'
import type { Json } from '../../src/kernel/json.ts'
import { keys, literals, ODD_KEYS, paths, scalars } from './arbitraries.ts'

type Expressions = { any: Json; truth: Json; number: Json; text: Json; array: Json }

/** Only the values of which it is true: an operator over anything else would fail, and the whole question with it. */
const guarded = (value: Json, test: Json, otherwise: Json): Json => ({
  $let: { vars: { it: value }, in: { $cond: [test, '$$it', otherwise] } },
})

const call = (name: string, ...operands: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<Json> =>
  fc.tuple(...operands).map((values) => ({ [name]: values }))

const anyOf = (names: readonly string[], ...operands: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<Json> =>
  fc.constantFrom(...names).chain((name) => call(name, ...operands))

const leaves: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: paths.map((path) => `$${path}`) },
  { weight: 1, arbitrary: fc.constant('$$ROOT') },
  { weight: 2, arbitrary: scalars.map((value) => (typeof value === 'string' ? { $literal: value } : value)) },
  { weight: 1, arbitrary: literals.map(($literal) => ({ $literal })) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS).map((name) => ({ $getField: { $literal: name } })) },
)

const small = fc.integer({ min: -3, max: 3 })

/** Expressions over the names and values of the documents; few of them fail. */
const rules = fc.letrec<Expressions>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: leaves },
    { weight: 2, arbitrary: tie('truth') },
    { weight: 2, arbitrary: tie('number') },
    { weight: 2, arbitrary: tie('text') },
    { weight: 2, arbitrary: tie('array') },
    { weight: 1, arbitrary: call('$cond', tie('truth'), tie('any'), tie('any')) },
    { weight: 1, arbitrary: call('$ifNull', tie('any'), tie('any')) },
    { weight: 1, arbitrary: call('$arrayElemAt', tie('array'), small) },
    { weight: 1, arbitrary: fc.record({ k: tie('any') }) },
    { weight: 1, arbitrary: tie('any').map((value) => ({ $type: value })) },
  ),
  truth: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: anyOf(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'], tie('any'), tie('any')) },
    { weight: 1, arbitrary: call('$in', tie('any'), tie('array')) },
    { weight: 1, arbitrary: anyOf(['$and', '$or'], tie('any'), tie('truth')) },
    { weight: 1, arbitrary: call('$not', tie('any')) },
    { weight: 1, arbitrary: anyOf(['$setIsSubset', '$setEquals'], tie('array'), tie('array')) },
    { weight: 1, arbitrary: anyOf(['$anyElementTrue', '$allElementsTrue'], tie('array')) },
    { weight: 1, arbitrary: anyOf(['$isArray', '$isNumber'], tie('any')) },
    {
      weight: 1,
      arbitrary: tie('text').map((input) => ({ $regexMatch: { input, regex: '^a|é' } })),
    },
  ),
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: tie('any').map((value) => guarded(value, { $isNumber: '$$it' }, 0)) },
    { weight: 2, arbitrary: anyOf(['$add', '$subtract', '$multiply'], tie('number'), tie('number')) },
    { weight: 1, arbitrary: anyOf(['$abs', '$ceil', '$floor', '$trunc', '$round'], tie('number')) },
    { weight: 1, arbitrary: anyOf(['$size', '$sum', '$max', '$min'], tie('array')) },
    { weight: 1, arbitrary: call('$cmp', tie('any'), tie('any')) },
    { weight: 1, arbitrary: call('$strLenCP', tie('text')) },
    { weight: 1, arbitrary: call('$indexOfArray', tie('array'), tie('any')) },
  ),
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: tie('any').map((value) => guarded(value, { $eq: [{ $type: '$$it' }, 'string'] }, 'a')) },
    { weight: 1, arbitrary: call('$concat', tie('text'), tie('text')) },
    { weight: 1, arbitrary: anyOf(['$toUpper', '$toLower'], tie('text')) },
    { weight: 1, arbitrary: call('$substrCP', tie('text'), fc.nat(2), fc.nat(2)) },
  ),
  array: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: tie('any').map((value) => guarded(value, { $isArray: ['$$it'] }, [1, 'a'])) },
    { weight: 1, arbitrary: anyOf(['$concatArrays', '$setUnion', '$setDifference'], tie('array'), tie('array')) },
    { weight: 1, arbitrary: call('$setIntersection', tie('array'), tie('array')) },
    { weight: 1, arbitrary: call('$slice', tie('array'), small) },
    { weight: 1, arbitrary: call('$reverseArray', tie('array')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('array'), keys, scalars)
        .map(([input, key, value]) => ({ $filter: { input, cond: { $ne: [`$$this.${key}`, { $literal: value }] } } })),
    },
    { weight: 1, arbitrary: tie('array').map((input) => ({ $map: { input, in: { $type: '$$this' } } })) },
    { weight: 1, arbitrary: tie('array').map((input) => ({ $sortArray: { input, sortBy: -1 } })) },
  ),
}))

/** What `$expr` may ask. */
export const expressions: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: rules.truth },
  { weight: 1, arbitrary: rules.any },
)

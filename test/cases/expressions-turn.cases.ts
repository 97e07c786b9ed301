import type { Json } from '../../src/kernel/json.ts'
import { computing, type ExpressionRow } from './computing.ts'

/** Nothing that can be computed: whoever asks for it fails. */
const failing = { $log10: '$negative' }

const nullFirst: readonly (readonly [operator: string, before: Json])[] = [
  ['$add', 1],
  ['$multiply', 2],
  ['$concat', 'a'],
  ['$concatArrays', [1]],
  ['$setUnion', [1]],
  ['$setIntersection', [1]],
  ['$bitAnd', 1],
  ['$bitOr', 1],
  ['$bitXor', 1],
  ['$atan2', 1],
]

/** In which order arguments are looked at, and where that ends. */
export const turnExpressionCases = computing(
  { null: null, negative: -7, list: [1, 2], at: '2024-02-29T13:45:30.123Z' },
  [
    ...nullFirst.flatMap(([operator, before]): ExpressionRow[] => {
      const end = operator === '$atan2' ? [] : [failing]
      return [
        [`${operator} computes nothing behind a null`, { [operator]: ['$null', failing] }, null],
        [`${operator} computes nothing behind a missing field`, { [operator]: ['$nothing', failing] }, null],
        [`${operator} ends at the null behind what is right`, { [operator]: [before, '$null', ...end] }, null],
      ]
    }),
    ['$bitAnd does not look at the type behind a null', { $bitAnd: ['$null', 'x'] }, null],
    ['$indexOfArray of null searches nothing', { $indexOfArray: ['$null', failing, failing] }, null],
    ['$indexOfBytes of null searches nothing', { $indexOfBytes: ['$null', failing] }, null],
    ['$indexOfCP of null searches nothing', { $indexOfCP: ['$nothing', failing, 'x'] }, null],
    ['$setIntersection goes on where nothing is in common any more', { $setIntersection: [[1], [2], '$null'] }, null],
    ['$setEquals ends at the first difference', { $setEquals: [[1], [2], 'x'] }, false],
    ['$zip computes nothing behind a null', { $zip: { inputs: ['$null', failing] } }, null],
    [
      '$zip of inputs of one length needs no defaults',
      { $zip: { inputs: ['$list', '$list'], useLongestLength: true, defaults: [failing, 0] } },
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ['$slice of null computes no count', { $slice: ['$null', 1, failing] }, null],
    ['$round of null computes no place', { $round: ['$null', failing] }, null],
    ['$trim of null computes no characters', { $trim: { input: '$null', chars: failing } }, null],
    ['$filter of null computes no limit', { $filter: { input: '$null', cond: true, limit: failing } }, null],
    ['$filter of nothing computes no limit', { $filter: { input: [], cond: true, limit: failing } }, []],
    ['$reduce of null computes no start', { $reduce: { input: '$null', initialValue: failing, in: 1 } }, null],
    ['$setField of null computes no value', { $setField: { field: 'a', input: '$null', value: failing } }, null],
    [
      '$dateAdd of null computes nothing else',
      { $dateAdd: { startDate: '$null', unit: failing, amount: failing } },
      null,
    ],
    [
      '$dateDiff of null computes nothing else',
      { $dateDiff: { startDate: '$null', endDate: '$at', unit: failing } },
      null,
    ],
    ['$dateTrunc of null computes nothing else', { $dateTrunc: { date: '$null', unit: failing } }, null],
    ['$hour of null computes no time zone', { $hour: { date: '$null', timezone: failing } }, null],
    ['$dateFromParts of a null hour computes no day', { $dateFromParts: { year: failing, hour: '$null' } }, null],
    ['$convert computes no onError that it does not need', { $convert: { input: 1, to: 'int', onError: failing } }, 1],
    ['$and stops at false', { $and: [false, failing] }, false],
    ['$ifNull stops at a value', { $ifNull: [1, failing] }, 1],
  ],
)

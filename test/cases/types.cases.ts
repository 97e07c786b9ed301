import type { DocumentSet, FilterCase } from './case.ts'
import { allBut, over } from './over.ts'

const typed: DocumentSet = {
  missing: {},
  null: { a: null },
  int: { a: 14 },
  negativeInt: { a: -2147483648 },
  long: { a: 2147483648 },
  longLimit: { a: 9007199254740991 },
  double: { a: 5.43 },
  hugeDouble: { a: 1e300 },
  zero: { a: -0 },
  text: { a: 'Si' },
  yes: { a: true },
  object: { a: { b: 1 } },
  emptyArray: { a: [] },
  numbers: { a: [1, 2.5] },
  nested: { a: [['x']] },
  mixed: { a: [null, 'x', { b: 1 }] },
}
const arrays = ['emptyArray', 'numbers', 'nested', 'mixed']
const ints = ['int', 'negativeInt', 'zero', 'numbers']
const longs = ['long', 'longLimit']
const doubles = ['double', 'hugeDouble', 'numbers']
const anyNumber = allBut(typed, ['missing', 'null', 'text', 'yes', 'object', 'emptyArray', 'nested', 'mixed'])

/** `$type`, by alias, number and list. */
export const typeCases: readonly FilterCase[] = over(typed, [
  ['$type string', { a: { $type: 'string' } }, ['text', 'mixed']],
  ['$type 2 is string', { a: { $type: 2 } }, ['text', 'mixed']],
  ['$type number', { a: { $type: 'number' } }, anyNumber],
  ['$type int', { a: { $type: 'int' } }, ints],
  ['$type 16 is int', { a: { $type: 16 } }, ints],
  ['$type long', { a: { $type: 'long' } }, longs],
  ['$type 18 is long', { a: { $type: 18 } }, longs],
  ['$type double', { a: { $type: 'double' } }, doubles],
  ['$type 1 is double', { a: { $type: 1 } }, doubles],
  ['$type bool', { a: { $type: 'bool' } }, ['yes']],
  ['$type 8 is bool', { a: { $type: 8 } }, ['yes']],
  ['$type null', { a: { $type: 'null' } }, ['null', 'mixed']],
  ['$type 10 is null', { a: { $type: 10 } }, ['null', 'mixed']],
  ['$type object asks elements too', { a: { $type: 'object' } }, ['object', 'mixed']],
  ['$type 3 is object', { a: { $type: 3 } }, ['object', 'mixed']],
  ['$type array asks the array itself', { a: { $type: 'array' } }, arrays],
  ['$type 4 is array', { a: { $type: 4 } }, arrays],
  ['$type array at an index asks inner arrays', { 'a.0': { $type: 'array' } }, ['nested']],
  ['$type takes a list', { a: { $type: ['string', 'bool'] } }, ['text', 'yes', 'mixed']],
  ['$type takes a mixed list', { a: { $type: [2, 'array'] } }, ['text', ...arrays]],
  ['$type takes a list with number', { a: { $type: ['number', 'null'] } }, ['null', ...anyNumber, 'mixed']],
  ['$type takes a list that names a type twice', { a: { $type: ['bool', 8] } }, ['yes']],
  ['no record holds a date', { a: { $type: 'date' } }, []],
  ['no record holds an object id', { a: { $type: 'objectId' } }, []],
  ['no record holds a decimal', { a: { $type: 'decimal' } }, []],
  ['no record holds the smallest key', { a: { $type: -1 } }, []],
  ['no record holds a regular expression', { a: { $type: ['regex', 13, 127] } }, []],
  ['$not of $type', { a: { $not: { $type: 'number' } } }, allBut(typed, anyNumber)],
  ['$type does not find missing', { a: { $type: ['null', 'undefined'] } }, ['null', 'mixed']],
  ['$type on a path', { 'a.b': { $type: 'int' } }, ['object', 'mixed']],
  ['$type beside a bound', { a: { $type: 'double', $lt: 10 } }, ['double', 'numbers']],
])

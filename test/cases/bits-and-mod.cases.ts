import type { DocumentSet, FilterCase } from './case.ts'
import { allBut, over } from './over.ts'

const masks: DocumentSet = {
  zero: { a: 0 },
  five: { a: 5 },
  twenty: { a: 20 },
  minusOne: { a: -1 },
  minusTwo: { a: -2 },
  beyond32: { a: 2 ** 40 },
  half: { a: 5.5 },
  text: { a: '5' },
  null: { a: null },
  missing: {},
  list: { a: [2, 5] },
  yes: { a: true },
  huge: { a: 2 ** 63 },
  least: { a: -(2 ** 63) },
  object: { a: { b: 5 } },
}
const integers = ['zero', 'five', 'twenty', 'minusOne', 'minusTwo', 'beyond32', 'list', 'least']

const dividends: DocumentSet = {
  zero: { a: 0 },
  four: { a: 4 },
  five: { a: 5 },
  fraction: { a: 4.9 },
  minusFive: { a: -5 },
  minusFraction: { a: -5.5 },
  text: { a: '4' },
  null: { a: null },
  missing: {},
  list: { a: [3, 8] },
  object: { a: {} },
  large: { a: 9007199254740992 },
  beyond: { a: 1e300 },
  yes: { a: true },
  limit: { a: 2 ** 63 },
}

/** `$bitsAllSet $bitsAnySet $bitsAllClear $bitsAnyClear` and `$mod`. */
export const bitsAndModCases: readonly FilterCase[] = [
  ...over(masks, [
    ['$bitsAllSet with a mask', { a: { $bitsAllSet: 5 } }, ['five', 'minusOne', 'list']],
    ['$bitsAllSet with positions', { a: { $bitsAllSet: [0, 2] } }, ['five', 'minusOne', 'list']],
    ['$bitsAllSet with a mask of several bits', { a: { $bitsAllSet: 20 } }, ['twenty', 'minusOne', 'minusTwo']],
    ['$bitsAllSet 0 finds every integer', { a: { $bitsAllSet: 0 } }, integers],
    ['$bitsAllSet of no positions finds every integer', { a: { $bitsAllSet: [] } }, integers],
    ['$bitsAllSet beyond 32 bits', { a: { $bitsAllSet: [40] } }, ['minusOne', 'minusTwo', 'beyond32']],
    ['$bitsAllSet with a large mask', { a: { $bitsAllSet: 1099511627776 } }, ['minusOne', 'minusTwo', 'beyond32']],
    ['$bitsAllSet at the sign', { a: { $bitsAllSet: [63] } }, ['minusOne', 'minusTwo', 'least']],
    ['$bitsAllSet beyond the sign extends it', { a: { $bitsAllSet: [200] } }, ['minusOne', 'minusTwo', 'least']],
    ['$bitsAllSet with a whole fraction', { a: { $bitsAllSet: 2.0 } }, ['minusOne', 'minusTwo', 'list']],
    [
      '$bitsAllSet with extended JSON',
      { a: { $bitsAllSet: { $numberLong: '20' } } },
      ['twenty', 'minusOne', 'minusTwo'],
    ],
    ['$bitsAnySet with a mask', { a: { $bitsAnySet: 5 } }, ['five', 'twenty', 'minusOne', 'minusTwo', 'list']],
    ['$bitsAnySet with positions', { a: { $bitsAnySet: [1, 40] } }, ['minusOne', 'minusTwo', 'beyond32', 'list']],
    ['$bitsAnySet of nothing finds nothing', { a: { $bitsAnySet: 0 } }, []],
    ['$bitsAnySet of no positions finds nothing', { a: { $bitsAnySet: [] } }, []],
    ['$bitsAllClear with a mask', { a: { $bitsAllClear: 5 } }, ['zero', 'beyond32', 'list', 'least']],
    [
      '$bitsAllClear with positions',
      { a: { $bitsAllClear: [0] } },
      ['zero', 'twenty', 'minusTwo', 'beyond32', 'list', 'least'],
    ],
    ['$bitsAllClear at the sign', { a: { $bitsAllClear: [64] } }, ['zero', 'five', 'twenty', 'beyond32', 'list']],
    ['$bitsAllClear 0 finds every integer', { a: { $bitsAllClear: 0 } }, integers],
    [
      '$bitsAnyClear with a mask',
      { a: { $bitsAnyClear: 5 } },
      allBut(masks, ['five', 'minusOne', 'half', 'text', 'null', 'missing', 'yes', 'huge', 'object']),
    ],
    [
      '$bitsAnyClear with positions',
      { a: { $bitsAnyClear: [0, 1] } },
      ['zero', 'five', 'twenty', 'minusTwo', 'beyond32', 'list', 'least'],
    ],
    ['$bitsAnyClear of nothing finds nothing', { a: { $bitsAnyClear: 0 } }, []],
    ['$not of $bitsAllSet finds what is no integer', { a: { $not: { $bitsAllSet: 0 } } }, allBut(masks, integers)],
    ['bits on a path', { 'a.b': { $bitsAllSet: [2] } }, ['object']],
  ]),
  ...over(dividends, [
    ['$mod finds multiples', { a: { $mod: [4, 0] } }, ['zero', 'four', 'fraction', 'list', 'large']],
    ['$mod finds a remainder', { a: { $mod: [4, 1] } }, ['five']],
    ['$mod takes the sign of the dividend', { a: { $mod: [4, -1] } }, ['minusFive', 'minusFraction']],
    ['$mod with a negative divisor', { a: { $mod: [-4, 1] } }, ['five']],
    ['$mod truncates its divisor', { a: { $mod: [4.7, 0] } }, ['zero', 'four', 'fraction', 'list', 'large']],
    ['$mod truncates its remainder', { a: { $mod: [4, 1.9] } }, ['five']],
    ['$mod truncates toward zero', { a: { $mod: [5, 0] } }, ['zero', 'five', 'minusFive', 'minusFraction']],
    [
      '$mod 1 finds every number within 64 bits',
      { a: { $mod: [1, 0] } },
      ['zero', 'four', 'five', 'fraction', 'minusFive', 'minusFraction', 'list', 'large'],
    ],
    ['$mod asks elements', { a: { $mod: [8, 3] } }, ['list']],
    ['$mod with a remainder that cannot be', { a: { $mod: [3, 7] } }, []],
    ['$mod with a large divisor', { a: { $mod: [9007199254740992, 0] } }, ['zero', 'large']],
    [
      '$not of $mod finds what is no number',
      { a: { $not: { $mod: [1, 0] } } },
      ['text', 'null', 'missing', 'object', 'beyond', 'yes', 'limit'],
    ],
    ['$mod takes extended JSON', { a: { $mod: [{ $numberLong: '4' }, { $numberInt: '1' }] } }, ['five']],
    ['$mod beside a bound', { a: { $mod: [4, 0], $gt: 4 } }, ['fraction', 'list', 'large']],
  ]),
]

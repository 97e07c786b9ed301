import type { Json } from '../../src/kernel/json.ts'
import type { DocumentSet, SortCase } from './case.ts'

/** A case without its documents: name, sort, the names of the documents in order. */
type SortRow = readonly [name: string, sort: Json, order: string]

function ordered(documents: DocumentSet, rows: readonly SortRow[]): SortCase[] {
  return rows.map(([name, sort, order]) => ({ name, documents, sort, order: order.split(' ') }))
}

const silicon: DocumentSet = {
  first: { formula: 'Si', a: 3, b: 1 },
  second: { formula: 'Ge', a: 1, b: 2 },
  third: { formula: 'C', a: 3, b: 3 },
  fourth: { formula: 'GaAs', a: 2, b: 2 },
}

const everyType: DocumentSet = {
  yes: { a: true },
  text: { a: 'x' },
  object: { a: { b: 1 } },
  number: { a: 5 },
  emptyArray: { a: [] },
  null: { a: null },
  no: { a: false },
  missing: {},
  emptyText: { a: '' },
  emptyObject: { a: {} },
  negative: { a: -5 },
  fraction: { a: 0.5 },
}

const arrays: DocumentSet = {
  oneFive: { a: [1, 5] },
  three: { a: 3 },
  twoFour: { a: [4, 2] },
  empty: { a: [] },
  null: { a: null },
  nullSix: { a: [6, null] },
  nested: { a: [[0, 9], [7]] },
  textAndNumber: { a: ['x', 2.5] },
}

const species: DocumentSet = {
  carbonOxygen: {
    s: [
      { z: 6, n: 1 },
      { z: 8, n: 2 },
    ],
  },
  silicon: { s: { z: 14, n: 1 } },
  none: { s: [] },
  unknown: { s: [{ n: 3 }] },
  hydrogenGold: {
    s: [
      { z: 79, n: 1 },
      { z: 1, n: 9 },
    ],
  },
  missing: {},
  scalar: { s: 7 },
  isotopes: { s: [{ z: [5, 20], n: 4 }] },
  innerArray: { s: [[{ z: 3 }]] },
}

const pairs: DocumentSet = {
  early: {
    a: [
      { b: 2, c: 0 },
      { b: 1, c: 9 },
    ],
  },
  late: { a: [{ b: 1, c: 5 }] },
  single: { a: { b: 1, c: 7 } },
}

const texts: DocumentSet = {
  lower: { t: 'a' },
  upper: { t: 'B' },
  accented: { t: 'é' },
  privateUse: { t: '\ue000' },
  beyond: { t: '😀' },
  digits: { t: '10' },
  digit: { t: '9' },
  longer: { t: 'ab' },
  space: { t: ' a' },
}

const numbers: DocumentSet = {
  ten: { n: 10 },
  nine: { n: 9 },
  minusZero: { n: -0 },
  zero: { n: 0 },
  tiny: { n: 1e-300 },
  huge: { n: 1e300 },
  big: { n: 9007199254740991 },
  nearlyBig: { n: 9007199254740990 },
  minus: { n: -1.5 },
}

const objects: DocumentSet = {
  ab: { o: { a: 1, b: 2 } },
  ba: { o: { b: 2, a: 1 } },
  a: { o: { a: 1 } },
  aTwo: { o: { a: 2 } },
  aText: { o: { a: 'x' } },
  empty: { o: {} },
}

const vectors: DocumentSet = {
  x: { v: [3, 1, 2] },
  y: { v: [1, 9, 9] },
  short: { v: [2] },
  keyed: { v: { '0': 2.5, '1': 5 } },
  inner: { v: [[0, 4], 1] },
  missing: {},
}

const ties: DocumentSet = {
  one: { a: 1, b: null },
  two: { a: 1 },
  three: { a: 1, b: 5 },
  four: { a: 0 },
  five: { a: 1 },
}

const odd: DocumentSet = {
  proto: JSON.parse('{"__proto__":{"x":2},"k y":1,"é":2}'),
  plain: { 'k y': 2, é: 1 },
  length: { length: 1, 'k y': 0 },
}

/** The order that sorts give. */
export const sortCases: readonly SortCase[] = [
  ...ordered(silicon, [
    ['an empty sort is natural order', {}, 'first second third fourth'],
    ['an empty list is natural order', [], 'first second third fourth'],
    ['1 is ascending', { formula: 1 }, 'third fourth second first'],
    ['-1 is descending', { formula: -1 }, 'first second fourth third'],
    ['ties stay in natural order', { a: 1 }, 'second fourth first third'],
    ['ties stay in natural order when descending', { a: -1 }, 'first third fourth second'],
    ['the second key orders within the first', { a: 1, b: -1 }, 'second fourth third first'],
    ['the first key goes first', { b: 1, a: -1 }, 'first fourth second third'],
    ['all keys may descend', { a: -1, b: -1 }, 'third first fourth second'],
    ['a list of names ascends', ['a', 'formula'], 'second fourth third first'],
    [
      'a list of pairs has words for directions',
      [
        ['a', 'desc'],
        ['formula', 'asc'],
      ],
      'third first fourth second',
    ],
    ['a list mixes names and pairs', ['a', ['b', 'desc']], 'second fourth third first'],
    [
      'the long words are known',
      [
        ['a', 'descending'],
        ['b', 'ascending'],
      ],
      'first third fourth second',
    ],
    [
      'a list takes numbers for directions',
      [
        ['a', -1],
        ['b', -1],
      ],
      'third first fourth second',
    ],
    ['a name alone in a list ascends', ['formula'], 'third fourth second first'],
    ['a field that no document has leaves natural order', { nothing: -1 }, 'first second third fourth'],
  ]),
  ...ordered(everyType, [
    [
      'ascending follows the BSON order of types',
      { a: 1 },
      'emptyArray null missing negative fraction number emptyText text emptyObject object no yes',
    ],
    [
      'descending is its reverse, but for ties',
      { a: -1 },
      'yes no object emptyObject text emptyText number fraction negative null missing emptyArray',
    ],
    [
      'a path into scalars is missing',
      { 'a.b': -1 },
      'object yes text number emptyArray null no missing emptyText emptyObject negative fraction',
    ],
  ]),
  ...ordered(arrays, [
    [
      'a direction in extended JSON',
      { a: { $numberInt: '1' } },
      'empty null nullSix oneFive twoFour textAndNumber three nested',
    ],
    ['ascending takes the smallest element', { a: 1 }, 'empty null nullSix oneFive twoFour textAndNumber three nested'],
    [
      'descending takes the largest element',
      { a: -1 },
      'nested textAndNumber nullSix oneFive twoFour three null empty',
    ],
    ['an index picks one element', { 'a.0': 1 }, 'three empty null oneFive twoFour nullSix textAndNumber nested'],
    ['an index may be beyond the end', { 'a.5': 1 }, 'oneFive three twoFour empty null nullSix nested textAndNumber'],
  ]),
  ...ordered(species, [
    [
      'a path through arrays takes the smallest value ascending',
      { 's.z': 1 },
      'none unknown missing scalar innerArray hydrogenGold isotopes carbonOxygen silicon',
    ],
    [
      'a path through arrays takes the largest value descending',
      { 's.z': -1 },
      'hydrogenGold isotopes silicon carbonOxygen none unknown missing scalar innerArray',
    ],
    [
      'an index and a field',
      { 's.0.z': 1 },
      'silicon none unknown missing scalar innerArray isotopes carbonOxygen hydrogenGold',
    ],
    [
      'another index and a field',
      { 's.1.z': -1 },
      'carbonOxygen hydrogenGold silicon none unknown missing scalar isotopes innerArray',
    ],
    [
      'two keys through the same array',
      { 's.n': 1, 's.z': 1 },
      'none missing scalar innerArray carbonOxygen silicon hydrogenGold unknown isotopes',
    ],
    [
      'an array and a plain field',
      { 's.n': -1, other: 1 },
      'hydrogenGold isotopes unknown carbonOxygen silicon none missing scalar innerArray',
    ],
  ]),
  ...ordered(pairs, [
    ['keys of one array are taken together, ascending', { 'a.b': 1, 'a.c': 1 }, 'late single early'],
    ['keys of one array are taken together, descending', { 'a.b': -1, 'a.c': -1 }, 'early single late'],
    ['keys of one array are taken together, mixed', { 'a.b': 1, 'a.c': -1 }, 'early single late'],
    ['the other key first', { 'a.c': 1, 'a.b': 1 }, 'early late single'],
    ['the other key first, mixed', { 'a.c': -1, 'a.b': 1 }, 'early single late'],
    ['a key of the array alone ties', { 'a.b': 1 }, 'early late single'],
    ['the array as a whole and its field', { 'a.b': -1 }, 'early late single'],
  ]),
  ...ordered(texts, [
    ['strings compare by their bytes', { t: 1 }, 'space digits digit upper lower longer accented privateUse beyond'],
    [
      'strings compare by their bytes, descending',
      { t: -1 },
      'beyond privateUse accented longer lower upper digit digits space',
    ],
    ['a list sorts strings alike', [['t', 'asc']], 'space digits digit upper lower longer accented privateUse beyond'],
  ]),
  ...ordered(numbers, [
    ['numbers compare by value', { n: 1 }, 'minus minusZero zero tiny nine ten nearlyBig big huge'],
    ['numbers compare by value, descending', { n: -1 }, 'huge big nearlyBig ten nine tiny minusZero zero minus'],
  ]),
  ...ordered(objects, [
    ['objects compare field by field', { o: 1 }, 'empty a ab aTwo ba aText'],
    ['objects compare field by field, descending', { o: -1 }, 'aText ba aTwo ab a empty'],
    ['a field within', { 'o.a': 1 }, 'empty ab ba a aTwo aText'],
    ['a field within, descending', { 'o.a': -1 }, 'aText aTwo ab ba a empty'],
    ['two fields within', { 'o.b': 1, 'o.a': -1 }, 'aText aTwo a empty ab ba'],
    ['the object and a field of it', { o: -1, 'o.a': 1 }, 'aText ba aTwo ab a empty'],
  ]),
  ...ordered(vectors, [
    ['an index of a vector', { 'v.0': 1 }, 'missing y short keyed x inner'],
    ['an index of a vector, descending', { 'v.0': -1 }, 'inner x keyed short y missing'],
    ['an index that only some have', { 'v.1': 1 }, 'short missing x inner keyed y'],
    ['two indexes of one vector', { 'v.2': -1, 'v.1': -1 }, 'y x keyed inner short missing'],
    ['00 is no index', { 'v.00': 1 }, 'x y short keyed inner missing'],
    ['an index within an index', { 'v.0.1': -1 }, 'inner x y short keyed missing'],
    ['the whole vector by its elements', { v: 1 }, 'missing x y inner short keyed'],
  ]),
  ...ordered(ties, [
    ['null and missing tie', { b: 1 }, 'one two four five three'],
    ['null and missing tie, descending', { b: -1 }, 'three one two four five'],
    ['null and missing tie in a second key', { a: -1, b: 1 }, 'one two five three four'],
    ['ties of all keys keep natural order', { a: 1, b: -1 }, 'four three one two five'],
  ]),
  ...ordered(odd, [
    ['keys with spaces sort', { 'k y': 1 }, 'length proto plain'],
    ['keys beyond ASCII sort', { é: 1 }, 'length plain proto'],
    ['length is a field like others', { length: -1 }, 'length proto plain'],
    ['__proto__ is a field like others', { '__proto__.x': -1 }, 'proto plain length'],
    ['constructor is no field', { 'constructor.name': -1 }, 'proto plain length'],
  ]),
]

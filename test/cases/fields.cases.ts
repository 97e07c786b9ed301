import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { FieldsCase, FieldsFailureCase } from './case.ts'

/** A case over a shared document: name, fields, what is left, and the filter where it matters. */
type FieldsRow = readonly [name: string, fields: Json, gives: JsonObject, filter?: Json]

function of(document: JsonObject, rows: readonly FieldsRow[]): FieldsCase[] {
  return rows.map(([name, fields, gives, filter]) => ({
    name,
    document,
    fields,
    gives,
    ...(filter === undefined ? {} : { filter }),
  }))
}

const silicon = {
  _id: 'si',
  name: 'Silicon',
  formula: 'Si',
  lattice: { a: 3.8, b: 3.8, units: { length: 'angstrom' } },
}
const { lattice } = silicon

const basis = {
  _id: 'b',
  elements: [
    { id: 0, value: 'Si' },
    { id: 1, value: 'O' },
    { id: 2, value: 'O' },
  ],
  tags: ['x', 'y', 'z', 'w'],
  scalar: 5,
}
const { elements } = basis

const mixed = {
  _id: 'm',
  list: [1, { a: 1, b: 2 }, [{ a: 3, b: 4 }, 5], null, {}, []],
  empty: [],
  nothing: null,
}

const nested = {
  _id: 'n',
  a: {
    list: [
      { v: [1, 2, 3], w: 1 },
      { v: [4, 5], w: 2 },
    ],
    tags: ['p', 'q', 'r'],
    other: true,
  },
  z: 0,
}

const grid = { _id: 'g', rows: [{ v: [1, 2], w: 3 }, [{ v: [4, 5], w: 6 }], [[{ v: [7, 8] }]], 9], z: 0 }

const scores = {
  _id: 's',
  grades: [80, 90, 95],
  rows: [
    { k: 1, v: 'a' },
    { k: 2, v: 'b' },
    { k: 2, v: 'c' },
  ],
  inner: { list: [5, 6, 7] },
}
const { grades, rows, inner } = scores

const odd: JsonObject = JSON.parse('{"_id":"o","__proto__":{"x":1,"y":2},"a b":1,"0":7,"é":2,"constructor":3}')

const odds: JsonObject = {
  first: [5, [3]],
  pairs: [
    [1, 2],
    [3, 4],
  ],
  sites: [
    { at: [1], v: 1 },
    { at: [2, 3], v: 2 },
  ],
  plain: [5, 6],
  inner: { list: [5, 6] },
}

/** Documents that match by no element of the array, so that there is none to keep. */
export const fieldsFailureCases: readonly FieldsFailureCase[] = (
  [
    ['an array that is equal as a whole', 'plain', { plain: [5, 6] }],
    ['an array that compares as a whole', 'plain', { plain: { $gte: [1] } }],
    ['an array that is one of a list as a whole', 'pairs', { pairs: { $in: [odds.pairs ?? null] } }],
    ['an array that is found as a whole by its type', 'plain', { plain: { $type: 'array' } }],
    ['an array that lies within what matched', 'inner.list', { inner: { list: [5, 6] } }],
    ['the size of the array itself', 'inner.list', { 'inner.list': { $size: 2 } }],
  ] as const
).map(([name, path, filter]) => ({ name, document: odds, filter, fields: { [`${path}.$`]: 1 }, code: 40021 }))

/** What `fields` leaves of documents. */
export const fieldsCases: readonly FieldsCase[] = [
  ...of(silicon, [
    ['no fields are all fields', {}, silicon],
    ['1 includes, and _id with it', { name: 1 }, { _id: 'si', name: 'Silicon' }],
    ['true includes', { name: true }, { _id: 'si', name: 'Silicon' }],
    ['any number but 0 includes', { name: 2.5 }, { _id: 'si', name: 'Silicon' }],
    ['a negative number includes', { name: -1 }, { _id: 'si', name: 'Silicon' }],
    ['0 excludes', { lattice: 0 }, { _id: 'si', name: 'Silicon', formula: 'Si' }],
    ['false excludes', { lattice: false, formula: false }, { _id: 'si', name: 'Silicon' }],
    [
      'fields keep the order of the document',
      { lattice: 1, formula: 1, name: 1 },
      { _id: 'si', name: 'Silicon', formula: 'Si', lattice },
    ],
    ['_id may be left out of an inclusion', { name: 1, _id: 0 }, { name: 'Silicon' }],
    ['_id may be left out first', { _id: 0, name: 1 }, { name: 'Silicon' }],
    ['_id may be left out with false', { _id: false, name: true }, { name: 'Silicon' }],
    ['_id alone may be excluded', { _id: 0 }, { name: 'Silicon', formula: 'Si', lattice }],
    ['_id alone may be included', { _id: 1 }, { _id: 'si' }],
    ['_id may be included beside exclusions', { _id: 1, lattice: 0, name: 0 }, { _id: 'si', formula: 'Si' }],
    ['_id may be excluded beside exclusions', { _id: 0, lattice: 0, name: 0 }, { formula: 'Si' }],
    ['a field that is not there leaves no trace', { nothing: 1 }, { _id: 'si' }],
    ['excluding what is not there leaves all', { nothing: 0 }, silicon],
    ['a dotted path includes a part', { 'lattice.a': 1 }, { _id: 'si', lattice: { a: 3.8 } }],
    ['a dotted path excludes a part', { 'lattice.units': 0 }, { ...silicon, lattice: { a: 3.8, b: 3.8 } }],
    ['paths share their start', { 'lattice.a': 1, 'lattice.b': 1 }, { _id: 'si', lattice: { a: 3.8, b: 3.8 } }],
    [
      'parts keep the order of the document',
      { 'lattice.b': 1, 'lattice.a': 1 },
      { _id: 'si', lattice: { a: 3.8, b: 3.8 } },
    ],
    ['three parts', { 'lattice.units.length': 1 }, { _id: 'si', lattice: { units: { length: 'angstrom' } } }],
    [
      'three parts excluded leave an empty object',
      { 'lattice.units.length': 0 },
      { ...silicon, lattice: { a: 3.8, b: 3.8, units: {} } },
    ],
    ['the nested form includes', { lattice: { a: 1 } }, { _id: 'si', lattice: { a: 3.8 } }],
    ['the nested form excludes', { lattice: { units: 0, b: 0 } }, { ...silicon, lattice: { a: 3.8 } }],
    [
      'the nested form nests',
      { lattice: { units: { length: 1 } } },
      { _id: 'si', lattice: { units: { length: 'angstrom' } } },
    ],
    [
      'the nested form takes dotted paths',
      { lattice: { 'units.length': 1 } },
      { _id: 'si', lattice: { units: { length: 'angstrom' } } },
    ],
    [
      'the nested form and dotted paths mix',
      { lattice: { a: 1 }, 'lattice.b': 1 },
      { _id: 'si', lattice: { a: 3.8, b: 3.8 } },
    ],
    ['a part that is not there leaves the empty object', { 'lattice.c': 1 }, { _id: 'si', lattice: {} }],
    ['a part of a scalar is not there', { 'name.first': 1 }, { _id: 'si' }],
    ['excluding a part of a scalar leaves the scalar', { 'name.first': 0 }, silicon],
    ['a path within _id follows the mode', { '_id.x': 1, name: 1 }, { name: 'Silicon' }],
    ['$slice leaves what is no array', { name: { $slice: 1 } }, silicon],
    ['$elemMatch leaves nothing of what is no array', { name: { $elemMatch: { a: 1 } } }, { _id: 'si' }],
  ]),
  ...of(basis, [
    [
      'a path goes through arrays',
      { 'elements.value': 1 },
      { _id: 'b', elements: [{ value: 'Si' }, { value: 'O' }, { value: 'O' }] },
    ],
    [
      'an exclusion goes through arrays',
      { 'elements.value': 0, tags: 0 },
      { _id: 'b', elements: [{ id: 0 }, { id: 1 }, { id: 2 }], scalar: 5 },
    ],
    ['numbers are names, not indexes', { 'elements.0': 1 }, { _id: 'b', elements: [{}, {}, {}] }],
    ['numbers of a list of scalars are nothing', { 'tags.0': 1 }, { _id: 'b', tags: [] }],
    ['excluding a number of a list leaves the list', { 'tags.0': 0 }, basis],
    ['$slice takes the first', { tags: { $slice: 2 } }, { ...basis, tags: ['x', 'y'] }],
    ['$slice takes the last', { tags: { $slice: -3 } }, { ...basis, tags: ['y', 'z', 'w'] }],
    ['$slice 0 takes none', { tags: { $slice: 0 } }, { ...basis, tags: [] }],
    ['$slice takes all when there are fewer', { tags: { $slice: 10 } }, basis],
    ['$slice takes all of the last when there are fewer', { tags: { $slice: -10 } }, basis],
    ['$slice skips', { tags: { $slice: [1, 2] } }, { ...basis, tags: ['y', 'z'] }],
    ['$slice skips from the end', { tags: { $slice: [-2, 1] } }, { ...basis, tags: ['z'] }],
    ['$slice skips to the start at most', { tags: { $slice: [-9, 2] } }, { ...basis, tags: ['x', 'y'] }],
    ['$slice may skip everything', { tags: { $slice: [4, 2] } }, { ...basis, tags: [] }],
    [
      '$slice beside an inclusion keeps only what is named',
      { scalar: 1, tags: { $slice: 1 } },
      { _id: 'b', tags: ['x'], scalar: 5 },
    ],
    [
      '$slice before an inclusion keeps only what is named',
      { tags: { $slice: 1 }, scalar: 1 },
      { _id: 'b', tags: ['x'], scalar: 5 },
    ],
    [
      '$slice beside an exclusion keeps the others',
      { elements: 0, tags: { $slice: 1 } },
      { _id: 'b', tags: ['x'], scalar: 5 },
    ],
    [
      '$slice beside an excluded _id keeps the others',
      { _id: 0, tags: { $slice: 1 } },
      { elements, tags: ['x'], scalar: 5 },
    ],
    [
      '$slice beside an included _id keeps only what is named',
      { _id: 1, tags: { $slice: 1 } },
      { _id: 'b', tags: ['x'] },
    ],
    [
      'two slices keep the others',
      { tags: { $slice: 1 }, elements: { $slice: -1 } },
      { ...basis, tags: ['x'], elements: [{ id: 2, value: 'O' }] },
    ],
    [
      '$elemMatch keeps the first match only, and _id',
      { elements: { $elemMatch: { value: 'O' } } },
      { _id: 'b', elements: [{ id: 1, value: 'O' }] },
    ],
    [
      '$elemMatch has operators on fields',
      { elements: { $elemMatch: { id: { $gt: 1 } } } },
      { _id: 'b', elements: [{ id: 2, value: 'O' }] },
    ],
    ['$elemMatch has operators on scalars', { tags: { $elemMatch: { $gt: 'x' } } }, { _id: 'b', tags: ['y'] }],
    ['$elemMatch has regular expressions', { tags: { $elemMatch: { $regex: '^[zw]' } } }, { _id: 'b', tags: ['z'] }],
    ['$elemMatch without a match leaves no field', { elements: { $elemMatch: { value: 'C' } } }, { _id: 'b' }],
    [
      '$elemMatch comes after the other fields',
      { elements: { $elemMatch: { id: 0 } }, scalar: 1 },
      { _id: 'b', scalar: 5, elements: [{ id: 0, value: 'Si' }] },
    ],
    ['$elemMatch without _id', { _id: 0, elements: { $elemMatch: { id: 0 } } }, { elements: [{ id: 0, value: 'Si' }] }],
    [
      '$elemMatch beside $slice keeps the others, in their order',
      { elements: { $elemMatch: { id: 0 } }, tags: { $slice: 1 } },
      { _id: 'b', elements: [{ id: 0, value: 'Si' }], tags: ['x'], scalar: 5 },
    ],
    [
      '$elemMatch without a match beside $slice leaves no field',
      { elements: { $elemMatch: { id: 7 } }, tags: { $slice: 1 } },
      { _id: 'b', tags: ['x'], scalar: 5 },
    ],
    [
      '$elemMatch and $slice beside an included _id keep only what is named',
      { _id: 1, elements: { $elemMatch: { id: 0 } }, tags: { $slice: 1 } },
      { _id: 'b', tags: ['x'], elements: [{ id: 0, value: 'Si' }] },
    ],
    [
      '$elemMatch beside an exclusion keeps the others, in their order',
      { elements: { $elemMatch: { id: 0 } }, scalar: 0 },
      { _id: 'b', elements: [{ id: 0, value: 'Si' }], tags: basis.tags },
    ],
    [
      '$elemMatch of a scalar beside an exclusion',
      { scalar: { $elemMatch: { $gt: 1 } }, tags: 0 },
      { _id: 'b', elements },
    ],
    [
      'two $elemMatch',
      { elements: { $elemMatch: { id: 1 } }, tags: { $elemMatch: { $eq: 'w' } } },
      { _id: 'b', elements: [{ id: 1, value: 'O' }], tags: ['w'] },
    ],
  ]),
  ...of(mixed, [
    [
      'inclusion drops the scalars of a list, and goes into lists of lists',
      { 'list.a': 1 },
      { _id: 'm', list: [{ a: 1 }, [{ a: 3 }], {}, []] },
    ],
    [
      'exclusion keeps the scalars of a list',
      { 'list.a': 0 },
      { ...mixed, list: [1, { b: 2 }, [{ b: 4 }, 5], null, {}, []] },
    ],
    ['an empty list stays', { 'empty.a': 1 }, { _id: 'm', empty: [] }],
    ['null has no parts', { 'nothing.a': 1 }, { _id: 'm' }],
    ['null is a value', { nothing: 1 }, { _id: 'm', nothing: null }],
    ['excluding a part of null leaves null', { 'nothing.a': 0, list: 0 }, { _id: 'm', empty: [], nothing: null }],
    [
      '$elemMatch finds arrays by their indexes',
      { list: { $elemMatch: { '0.a': 3 } } },
      { _id: 'm', list: [[{ a: 3, b: 4 }, 5]] },
    ],
    [
      '$elemMatch passes scalars by',
      { list: { $elemMatch: { b: { $exists: true } } } },
      { _id: 'm', list: [{ a: 1, b: 2 }] },
    ],
    ['$slice of an empty list', { empty: { $slice: 1 } }, mixed],
    [
      '$slice does not go into lists of lists',
      { list: { $slice: [2, 1] }, nothing: 0 },
      { _id: 'm', list: [[{ a: 3, b: 4 }, 5]], empty: [] },
    ],
  ]),
  ...of(nested, [
    [
      '$slice within an object keeps the others',
      { 'a.tags': { $slice: 1 } },
      { ...nested, a: { ...nested.a, tags: ['p'] } },
    ],
    [
      '$slice within an object beside an inclusion',
      { 'a.tags': { $slice: 1 }, z: 1 },
      { _id: 'n', a: { tags: ['p'] }, z: 0 },
    ],
    ['$slice in the nested form', { a: { tags: { $slice: -1 } } }, { ...nested, a: { ...nested.a, tags: ['r'] } }],
    [
      '$slice within the elements of a list',
      { 'a.list.v': { $slice: 1 }, z: 0 },
      {
        _id: 'n',
        a: {
          ...nested.a,
          list: [
            { v: [1], w: 1 },
            { v: [4], w: 2 },
          ],
        },
      },
    ],
    [
      '$slice and an inclusion within one object',
      { 'a.tags': { $slice: [1, 1] }, 'a.other': 1 },
      { _id: 'n', a: { tags: ['q'], other: true } },
    ],
    ['an inclusion within lists of objects', { 'a.list.w': 1 }, { _id: 'n', a: { list: [{ w: 1 }, { w: 2 }] } }],
    [
      'an exclusion within lists of objects',
      { 'a.list.v': 0, 'a.tags': 0 },
      { _id: 'n', a: { list: [{ w: 1 }, { w: 2 }], other: true }, z: 0 },
    ],
  ]),
  ...of(grid, [
    [
      '$slice does not pass through lists of lists',
      { 'rows.v': { $slice: 1 } },
      { ...grid, rows: [{ v: [1], w: 3 }, [{ v: [4, 5], w: 6 }], [[{ v: [7, 8] }]], 9] },
    ],
    [
      '$slice beside an inclusion keeps whole what it cannot reach',
      { 'rows.v': { $slice: 1 }, z: 1 },
      { ...grid, rows: [{ v: [1] }, [{ v: [4, 5] }], [[{ v: [7, 8] }]]] },
    ],
  ]),
  ...of(scores, [
    [
      'the positional $ keeps the first element that matched',
      { 'grades.$': 1 },
      { _id: 's', grades: [90] },
      { grades: { $gt: 85 } },
    ],
    [
      'the positional $ keeps an element by its field',
      { 'rows.$': 1 },
      { _id: 's', rows: [{ k: 2, v: 'b' }] },
      { 'rows.k': 2 },
    ],
    [
      'the positional $ keeps what $elemMatch found',
      { 'rows.$': 1 },
      { _id: 's', rows: [{ k: 2, v: 'c' }] },
      { rows: { $elemMatch: { k: 2, v: 'c' } } },
    ],
    [
      'the positional $ of two conditions takes the element of the last',
      { 'rows.$': 1 },
      { _id: 's', rows: [{ k: 2, v: 'c' }] },
      { 'rows.k': 1, 'rows.v': 'c' },
    ],
    [
      'the positional $ of two conditions the other way round',
      { 'rows.$': 1 },
      { _id: 's', rows: [{ k: 1, v: 'a' }] },
      { 'rows.v': 'c', 'rows.k': 1 },
    ],
    [
      'the positional $ of two bounds takes the first element within the last',
      { 'grades.$': 1 },
      { _id: 's', grades: [80] },
      { grades: { $gt: 92, $lt: 99 } },
    ],
    [
      'the positional $ of two bounds that one element must meet',
      { 'grades.$': 1 },
      { _id: 's', grades: [95] },
      { grades: { $elemMatch: { $gt: 92, $lt: 99 } } },
    ],
    [
      'the positional $ of three clauses takes the last',
      { 'grades.$': 1 },
      { _id: 's', grades: [80] },
      { $and: [{ grades: 95 }, { grades: 90 }, { grades: 80 }] },
    ],
    [
      'the positional $ of two branches takes the first element',
      { 'grades.$': 1 },
      { _id: 's', grades: [80] },
      { $or: [{ grades: 95 }, { grades: 80 }] },
    ],
    ['the positional $ takes true', { 'grades.$': true }, { _id: 's', grades: [80] }, { grades: 80 }],
    [
      'the positional $ beside other fields',
      { 'grades.$': 1, 'inner.list': 1 },
      { _id: 's', grades: [95], inner },
      { grades: 95 },
    ],
    ['the positional $ without _id', { 'grades.$': 1, _id: 0 }, { grades: [95] }, { grades: 95 }],
    [
      'the positional $ of an inner list',
      { 'inner.list.$': 1 },
      { _id: 's', inner: { list: [6] } },
      { 'inner.list': { $gt: 5 } },
    ],
    [
      'the positional $ in the nested form',
      { inner: { 'list.$': 1 } },
      { _id: 's', inner: { list: [6] } },
      { 'inner.list': { $gt: 5 } },
    ],
    ['the positional $ of a field of elements', { 'rows.v.$': 1 }, { _id: 's', rows: [{ v: 'b' }] }, { 'rows.v': 'b' }],
    [
      'the positional $ within $and',
      { 'grades.$': 1 },
      { _id: 's', grades: [90] },
      { $and: [{ _id: 's' }, { grades: { $in: [90, 95] } }] },
    ],
    [
      'the positional $ takes the branch of $or that holds',
      { 'grades.$': 1 },
      { _id: 's', grades: [95] },
      { $or: [{ grades: 7 }, { grades: 95 }] },
    ],
    ['the positional $ with $all', { 'grades.$': 1 }, { _id: 's', grades: [80] }, { grades: { $all: [95, 80] } }],
    [
      'the positional $ leaves what is no array',
      { 'inner.none.$': 1 },
      { _id: 's', inner: {} },
      { 'inner.none': null },
    ],
    [
      'the positional $ beside $slice',
      { 'grades.$': 1, rows: { $slice: 1 } },
      { _id: 's', grades: [80], rows: rows.slice(0, 1) },
      { grades: 80 },
    ],
    ['without the positional $ the filter does not matter', { grades: 1 }, { _id: 's', grades }, { grades: 80 }],
    [
      'the positional $ keeps the first element that has a field',
      { 'rows.$': 1 },
      { _id: 's', rows: rows.slice(0, 1) },
      { 'rows.v': { $exists: true } },
    ],
    ['numbers in extended JSON', { grades: { $numberInt: '1' }, _id: { $numberLong: '0' } }, { grades }],
    [
      '$slice in extended JSON',
      { grades: { $slice: [{ $numberInt: '1' }, { $numberInt: '1' }] } },
      { ...scores, grades: [90] },
    ],
    ['the positional $ takes a type', { 'grades.$': 1 }, { _id: 's', grades: [80] }, { grades: { $type: 'int' } }],
    [
      'the positional $ takes a remainder',
      { 'grades.$': 1 },
      { _id: 's', grades: [95] },
      { grades: { $mod: [10, 5] } },
    ],
    ['the positional $ takes bits', { 'grades.$': 1 }, { _id: 's', grades: [90] }, { grades: { $bitsAllSet: [1] } }],
    [
      'the positional $ takes a pattern',
      { 'rows.$': 1 },
      { _id: 's', rows: [{ k: 2, v: 'b' }] },
      { 'rows.v': { $regex: 'b' } },
    ],
  ]),
  ...of(odds, [
    [
      'the positional $ passes over an element that is compared with only as part of the whole',
      { 'first.$': 1 },
      { first: [[3]] },
      { first: { $gt: [1] } },
    ],
    ['the positional $ keeps an element that is an array', { 'pairs.$': 1 }, { pairs: [[3, 4]] }, { pairs: [3, 4] }],
    [
      'the positional $ keeps an element by an array within it',
      { 'sites.$': 1 },
      { sites: [{ at: [2, 3], v: 2 }] },
      { 'sites.at': 3 },
    ],
    [
      'the positional $ keeps an element by the size of an array within it',
      { 'sites.$': 1 },
      { sites: [{ at: [2, 3], v: 2 }] },
      { 'sites.at': { $size: 2 } },
    ],
    [
      'the positional $ of a path through two arrays keeps the element of the first',
      { 'sites.at.$': 1 },
      { sites: [{ at: [2, 3] }] },
      { 'sites.at': 3 },
    ],
    [
      'the positional $ keeps an element by an array of which one element meets all',
      { 'sites.$': 1 },
      { sites: [{ at: [2, 3], v: 2 }] },
      { 'sites.at': { $elemMatch: { $gt: 1, $lt: 3 } } },
    ],
    [
      'the positional $ keeps an element that lacks a field',
      { 'sites.$': 1 },
      { sites: [{ at: [1], v: 1 }] },
      { 'sites.w': null },
    ],
    [
      '$elemMatch keeps an element that is an array',
      { pairs: { $elemMatch: { $elemMatch: { $gt: 3 } } } },
      { pairs: [[3, 4]] },
    ],
    ['$elemMatch does not look at the whole', { first: { $elemMatch: { $eq: [5, [3]] } } }, {}],
  ]),
  ...of(odd, [
    ['__proto__ is a field', JSON.parse('{"__proto__":1}'), JSON.parse('{"_id":"o","__proto__":{"x":1,"y":2}}')],
    ['__proto__ has parts', { '__proto__.x': 1 }, JSON.parse('{"_id":"o","__proto__":{"x":1}}')],
    ['constructor is a field', { constructor: 1 }, { _id: 'o', constructor: 3 } as unknown as JsonObject],
    ['toString is no field', { toString: 1 } as unknown as Json, { _id: 'o' }],
    ['names hold spaces and letters beyond ASCII', { 'a b': 1, é: 1 }, { _id: 'o', 'a b': 1, é: 2 }],
    ['a number is a name', { '0': 1 }, { _id: 'o', '0': 7 }],
  ]),
]

import type { Json } from '../../src/kernel/json.ts'
import type { DocumentSet, FilterCase } from './case.ts'
import { allBut, over } from './over.ts'

const documents: DocumentSet = {
  neither: {},
  a: { a: 1 },
  b: { b: 1 },
  both: { a: 1, b: 1 },
  other: { a: 2, b: 2 },
  list: { a: [1, 2], b: [] },
  nested: { a: { b: 1 } },
}
const everything = allBut(documents, [])

/** Each operator beside a clause that decides nothing. */
const NEUTRAL: Readonly<Record<string, Json>> = { $and: {}, $or: { none: 1 }, $nor: { none: 1 } }

/** `{a: 1}` within 64 operators, as deep as queries go. */
function nestedIn(operators: readonly string[]): Json {
  return Array.from({ length: 64 }).reduce<Json>(
    (inner, _, level) => {
      const operator = operators[level % operators.length] ?? ''
      return { [operator]: [inner, NEUTRAL[operator] ?? {}] }
    },
    { a: 1 },
  )
}

/** `$and $or $nor $not $comment $expr` and how they hold each other. */
export const logicalCases: readonly FilterCase[] = over(documents, [
  ['fields beside each other must all hold', { a: 1, b: 1 }, ['both']],
  ['$and of one clause', { $and: [{ a: 1 }] }, ['a', 'both', 'list']],
  ['$and of clauses', { $and: [{ a: 1 }, { b: 1 }] }, ['both']],
  ['$and of the same field', { $and: [{ a: 1 }, { a: 2 }] }, ['list']],
  ['$and of an empty clause', { $and: [{}] }, everything],
  ['$and beside a field', { $and: [{ a: 1 }], b: 1 }, ['both']],
  ['$or of clauses', { $or: [{ a: 1 }, { b: 1 }] }, ['a', 'b', 'both', 'list']],
  ['$or of one clause', { $or: [{ b: 1 }] }, ['b', 'both']],
  ['$or with an empty clause finds everything', { $or: [{ a: 1 }, {}] }, everything],
  ['$or beside a field', { $or: [{ a: 1 }, { a: 2 }], b: 2 }, ['other']],
  ['$or beside $and', { $or: [{ a: 1 }], $and: [{ b: 1 }] }, ['both']],
  ['$or within $or', { $or: [{ $or: [{ a: 2 }, { b: 2 }] }, { 'a.b': 1 }] }, ['other', 'list', 'nested']],
  ['64 operators within each other', nestedIn(['$and']), ['a', 'both', 'list']],
  ['64 operators of several kinds within each other', nestedIn(['$and', '$or', '$nor', '$nor']), ['a', 'both', 'list']],
  ['$nor of clauses', { $nor: [{ a: 1 }, { b: 1 }] }, ['neither', 'other', 'nested']],
  ['$nor of one clause is its complement', { $nor: [{ a: 1 }] }, ['neither', 'b', 'other', 'nested']],
  ['$nor with an empty clause finds nothing', { $nor: [{}] }, []],
  ['$nor within $nor', { $nor: [{ $nor: [{ a: 1 }] }] }, ['a', 'both', 'list']],
  ['$nor beside $or', { $nor: [{ b: 1 }], $or: [{ a: 1 }] }, ['a', 'list']],
  [
    '$not of a bound finds what has no such field',
    { a: { $not: { $gt: 1 } } },
    ['neither', 'a', 'b', 'both', 'nested'],
  ],
  [
    '$not of two operators is not of both together',
    { a: { $not: { $gt: 0, $lt: 2 } } },
    ['neither', 'b', 'other', 'nested'],
  ],
  ['$not beside an operator', { a: { $not: { $gt: 1 }, $exists: true } }, ['a', 'both', 'nested']],
  ['$not of $not', { a: { $not: { $not: { $eq: 1 } } } }, ['a', 'both', 'list']],
  ['$not of $ne', { a: { $not: { $ne: 1 } } }, ['a', 'both', 'list']],
  ['$not of $in', { a: { $not: { $in: [1] } } }, ['neither', 'b', 'other', 'nested']],
  ['$not of $exists', { a: { $not: { $exists: false } } }, ['a', 'both', 'other', 'list', 'nested']],
  ['$not within $and', { $and: [{ a: { $not: { $eq: 1 } } }, { b: 1 }] }, ['b']],
  ['$comment at the top asks nothing', { $comment: 'which?', a: 2 }, ['other', 'list']],
  ['$comment alone selects everything', { $comment: 'all of them' }, everything],
  ['$comment within $and', { $and: [{ $comment: 'both', a: 1 }] }, ['a', 'both', 'list']],
  ['$comment beside an operator', { a: { $gt: 1, $comment: 'large' } }, ['other', 'list']],
  ['$comment takes any value', { $comment: { by: ['me', 1] }, b: 2 }, ['other']],
  ['$comment within $elemMatch', { a: { $elemMatch: { $gt: 1, $comment: 'x' } } }, ['list']],
  ['$expr compares two fields', { $expr: { $eq: ['$a', '$b'] } }, ['neither', 'both', 'other']],
  ['$expr beside a field', { $expr: { $eq: ['$a', '$b'] }, a: 2 }, ['other']],
  ['$expr within $or', { $or: [{ $expr: { $gt: ['$a', '$b'] } }, { b: 2 }] }, ['a', 'other', 'list', 'nested']],
  ['$expr within $and', { $and: [{ $expr: { $eq: ['$b', 1] } }, { a: 1 }] }, ['both']],
  ['$expr within $nor', { $nor: [{ $expr: { $eq: ['$a', '$b'] } }] }, ['a', 'b', 'list', 'nested']],
  ['$expr does not search arrays', { $expr: { $eq: ['$a', 1] } }, ['a', 'both']],
  ['$and within $elemMatch within $and', { $and: [{ a: { $elemMatch: { $gte: 1, $lt: 2 } } }] }, ['list']],
  ['$or over one field', { $or: [{ a: { $exists: false } }, { a: { $gt: 1 } }] }, ['neither', 'b', 'other', 'list']],
  ['$and of contradicting clauses finds nothing', { $and: [{ a: { $exists: true } }, { a: { $exists: false } }] }, []],
])

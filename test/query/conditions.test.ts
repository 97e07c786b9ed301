import { expect, test } from 'vitest'
import { all, compares, EVERYTHING, equals, type FilterNode, isOneOf } from '../../src/query/ast/filter.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'

/** A filter without where its conditions were written, and how. */
const unplaced = (filter: FilterNode): unknown =>
  JSON.parse(
    JSON.stringify({ ...filter }, (key, value) => (key === 'place' ? null : key === 'written' ? undefined : value)),
  )

test.each([
  [{}, EVERYTHING],
  [{ hash: 'a', 'owner._id': 'x' }, all(equals('hash', 'a'), equals('owner._id', 'x'))],
  [{ _id: { $in: ['a', 'b'] }, n: null }, all(isOneOf('_id', ['a', 'b']), equals('n', null))],
  [{ v: { $gte: 1, $lte: 2 } }, all(compares('v', '$gte', 1), compares('v', '$lte', 2))],
])('the filter that is written as %j is made as it is read', (written, made) => {
  expect(unplaced(made)).toEqual(unplaced(parseFilter(written)))
})

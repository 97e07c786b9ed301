import type { DocumentSet, FilterCase } from './case.ts'
import { over } from './over.ts'

const documents: DocumentSet = {
  id: { a: '507f1f77bcf86cd799439011' },
  shortId: { a: 'HwsRyJAmw9vSthsr4' },
  one: { a: 1 },
  large: { a: 5000000000 },
  half: { a: 0.5 },
  instant: { a: '2024-01-31T12:30:00.000Z' },
  later: { a: '2024-02-29T00:00:00.250Z' },
  epoch: { a: '1970-01-01T00:00:00.000Z' },
  inObject: { a: { at: '2024-01-31T12:30:00.000Z', n: 1 } },
  inList: { a: ['2024-01-31T12:30:00.000Z', 7] },
}
const sameInstant = ['instant', 'inList']

/** Extended JSON stands for the plain values that records keep. */
export const extendedJsonCases: readonly FilterCase[] = over(documents, [
  ['$oid is its text', { a: { $oid: '507f1f77bcf86cd799439011' } }, ['id']],
  ['$oid takes ids of any form', { a: { $oid: 'HwsRyJAmw9vSthsr4' } }, ['shortId']],
  ['$oid within $in', { a: { $in: [{ $oid: 'HwsRyJAmw9vSthsr4' }, { $oid: 'none' }] } }, ['shortId']],
  ['$oid within $ne', { a: { $ne: { $oid: 'HwsRyJAmw9vSthsr4' }, $lt: 'I', $gt: '6' } }, []],
  ['$numberInt', { a: { $numberInt: '1' } }, ['one']],
  ['$numberLong', { a: { $numberLong: '5000000000' } }, ['large']],
  ['$numberLong within $gt', { a: { $gt: { $numberLong: '4999999999' } } }, ['large']],
  ['$numberDouble', { a: { $numberDouble: '0.5' } }, ['half']],
  ['$numberDouble of a whole number', { a: { $numberDouble: '1.0' } }, ['one']],
  ['$numberDouble with an exponent', { a: { $numberDouble: '5e9' } }, ['large']],
  ['$numberDecimal', { a: { $numberDecimal: '0.50' } }, ['half']],
  ['$date with Z', { a: { $date: '2024-01-31T12:30:00Z' } }, sameInstant],
  ['$date with milliseconds', { a: { $date: '2024-01-31T12:30:00.000Z' } }, sameInstant],
  ['$date with an offset', { a: { $date: '2024-01-31T13:30:00+01:00' } }, sameInstant],
  ['$date with an offset without a colon', { a: { $date: '2024-01-31T07:00:00-0530' } }, sameInstant],
  ['$date without seconds', { a: { $date: '2024-01-31T12:30Z' } }, sameInstant],
  ['$date in milliseconds', { a: { $date: { $numberLong: '1706704200000' } } }, sameInstant],
  ['$date as a number of milliseconds', { a: { $date: 0 } }, ['epoch']],
  ['$date of a day is its midnight', { a: { $gt: { $date: '2024-02-29' }, $lt: { $date: '2024-03-01' } } }, ['later']],
  [
    '$date as a bound orders like time',
    { a: { $gte: { $date: '2024-01-31T12:30:00Z' }, $lt: '3' } },
    ['instant', 'later', 'inList'],
  ],
  ['$date within $in', { a: { $in: [{ $date: '1970-01-01' }] } }, ['epoch']],
  [
    'extended JSON within an object',
    { a: { at: { $date: '2024-01-31T12:30:00Z' }, n: { $numberInt: '1' } } },
    ['inObject'],
  ],
  ['extended JSON within an array', { a: [{ $date: '2024-01-31T12:30:00Z' }, { $numberLong: '7' }] }, ['inList']],
  ['extended JSON within $elemMatch', { a: { $elemMatch: { $eq: { $numberLong: '7' } } } }, ['inList']],
  ['$type of a number in extended JSON', { a: { $type: { $numberInt: '16' } } }, ['one', 'inList']],
  ['$type of several of them', { a: { $type: [{ $numberInt: '3' }, { $numberLong: '18' }] } }, ['large', 'inObject']],
  ['$size of a number in extended JSON', { a: { $size: { $numberLong: '2' } } }, ['inList']],
  ['extended JSON within $not', { a: { $not: { $lt: { $numberInt: '6' } }, $type: 'number' } }, ['large', 'inList']],
  ['extended JSON within $all', { a: { $all: [{ $numberInt: '7' }, { $date: '2024-01-31T12:30:00Z' }] } }, ['inList']],
])

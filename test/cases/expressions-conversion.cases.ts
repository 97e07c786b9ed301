import type { Json } from '../../src/kernel/json.ts'
import { computing, type ExpressionRow } from './computing.ts'

const leap = { $date: '2024-02-29T13:45:30.123Z' }

const converted = (input: Json, to: Json): Json => ({ $convert: { input, to, onError: 'refused', onNull: 'nothing' } })
const read = (dateString: Json, format: string, more: object = {}): Json => ({
  $dateFromString: { dateString, format, onError: 'refused', onNull: 'nothing', ...more },
})

/** What there is to convert, the type it is converted to, and what that gives. */
const conversions: readonly (readonly [input: Json, to: Json, gives: Json])[] = [
  ['1.5', 'double', 1.5],
  ['-.5e1', 'double', -5],
  ['+7.', 'double', 7],
  ['seven', 'double', 'refused'],
  ['0x1F', 'double', 'refused'],
  ['1e999', 'double', 'refused'],
  ['', 'double', 'refused'],
  [[1], 'double', 'refused'],
  [true, 1, 1],
  ['12', 'int', 12],
  [3.9, 'int', 3],
  [-3.9, 16, -3],
  [2_147_483_648, 'int', 'refused'],
  [-2_147_483_648, 'int', -2_147_483_648],
  [-2_147_483_649, 'int', 'refused'],
  [leap, 'int', 'refused'],
  [1e300, 'long', 'refused'],
  [leap, 'long', 1_709_214_330_123],
  [0, 'bool', false],
  [0.5, 'bool', true],
  ['', 'bool', true],
  [false, 'bool', false],
  [leap, 'bool', true],
  [leap, 'string', '2024-02-29T13:45:30.123Z'],
  [true, 'string', 'true'],
  [[1], 'string', 'refused'],
  [0, 'date', '1970-01-01T00:00:00.000Z'],
  [1e20, 'date', 'refused'],
  [leap, 'date', '2024-02-29T13:45:30.123Z'],
  ['no date', 'date', 'refused'],
  [true, 'date', 'refused'],
  ['$null', 'int', 'nothing'],
  ['$missing', 'int', 'nothing'],
]

/** A text, the format it is read by, and the date. */
const texts: readonly (readonly [text: Json, format: string, gives: Json])[] = [
  ['2024-060', '%Y-%j', '2024-02-29T00:00:00.000Z'],
  ['2024-060 02', '%Y-%j %m', 'refused'],
  ['2020-W53-7', '%G-W%V-%u', '2021-01-03T00:00:00.000Z'],
  ['2020', '%G', '2019-12-30T00:00:00.000Z'],
  ['2020 02', '%G %m', 'refused'],
  ['02/29', '%m/%d', 'refused'],
  ['2024-02', '%Y-%m', 'refused'],
  ['31.02.2024', '%d.%m.%Y', 'refused'],
  ['29 Feb 2024', '%d %b %Y', '2024-02-29T00:00:00.000Z'],
  ['29 Foo 2024', '%d %b %Y', 'refused'],
  ['February 29 2024', '%B %d %Y', '2024-02-29T00:00:00.000Z'],
  ['%2024-02-29', '%%%Y-%m-%d', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29 25', '%Y-%m-%d %H', 'refused'],
  ['2024-02-29 23', '%Y-%m-%d %H', '2024-02-29T23:00:00.000Z'],
  ['2024-02-29 +0530', '%Y-%m-%d %z', '2024-02-28T18:30:00.000Z'],
  ['2024-02-29 -90', '%Y-%m-%d %Z', '2024-02-29T01:30:00.000Z'],
  ['2024-02-29 and more', '%Y-%m-%d', 'refused'],
  [7, '%Y', 'refused'],
  ['$null', '%Y', 'nothing'],
]

/** From one type to another, and what there is instead where that cannot be. */
export const conversionExpressionCases = computing({ null: null }, [
  ...conversions.map(
    ([input, to, gives]): ExpressionRow => [
      `$convert ${JSON.stringify(input)} to ${to} is ${JSON.stringify(gives)}`,
      converted(input, to),
      gives,
    ],
  ),
  ...texts.map(
    ([text, format, gives]): ExpressionRow => [
      `$dateFromString ${JSON.stringify(text)} by ${format} is ${gives}`,
      read(text, format),
      gives,
    ],
  ),
  [
    '$dateFromString with an offset takes no time zone beside it',
    read('2024-02-29 +0530', '%Y-%m-%d %z', { timezone: 'Asia/Tokyo' }),
    'refused',
  ],
  ['$toDouble of a text for infinity', { $gt: [{ $toDouble: 'Infinity' }, 1e308] }, true],
  ['$toDouble of a text for its negative', { $lt: [{ $toDouble: '-inf' }, -1e308] }, true],
  ['$toDouble of a text for no number', { $eq: [{ $toDouble: 'NaN' }, { $toDouble: 'nan' }] }, true],
])

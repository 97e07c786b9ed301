import { computing, type ExpressionRow } from './computing.ts'

const leap = { $date: '2024-02-29T13:45:30.123Z' }
const newYear = { $date: '2021-01-03T00:00:00Z' }

/** Dates. */
export const dateExpressionCases = computing({ at: '2024-02-29T13:45:30.123Z', null: null, zone: 'Asia/Tokyo' }, [
  ['$year of a date', { $year: leap }, 2024],
  ['$year of the text that records keep', { $year: '$at' }, 2024],
  ['$year of null is null', { $year: '$null' }, null],
  ['$month', { $month: '$at' }, 2],
  ['$dayOfMonth', { $dayOfMonth: '$at' }, 29],
  ['$hour', { $hour: '$at' }, 13],
  ['$hour in an offset', { $hour: { date: '$at', timezone: '+05:30' } }, 19],
  ['$hour in a missing zone is null', { $hour: { date: '$at', timezone: '$nothing' } }, null],
  ['$dateToString in a missing zone is null', { $dateToString: { date: '$at', timezone: '$nothing' } }, null],
  ['$dateToString in a missing format is null', { $dateToString: { date: '$at', format: '$nothing' } }, null],
  ['$dateToString of null may be missing', { $dateToString: { date: '$null', onNull: '$nothing' } }, 'missing'],
  [
    '$dateFromParts takes any number of seconds and milliseconds',
    { $dateFromParts: { year: 2024, second: 86_400, millisecond: -40_000 } },
    '2024-01-01T23:59:20.000Z',
  ],
  ['$dateFromParts of a missing part is null', { $dateFromParts: { year: 2024, month: '$nothing' } }, null],
  ['$hour in a named zone', { $hour: { date: '$at', timezone: '$zone' } }, 22],
  [
    '$hour in a zone with summer time',
    { $hour: { date: { $date: '2024-07-01T12:00:00Z' }, timezone: 'Europe/Berlin' } },
    14,
  ],
  ['$minute', { $minute: '$at' }, 45],
  ['$minute in an offset', { $minute: { date: '$at', timezone: '-0830' } }, 15],
  ['$second', { $second: '$at' }, 30],
  ['$millisecond', { $millisecond: '$at' }, 123],
  ['$dayOfYear', { $dayOfYear: '$at' }, 60],
  ['$dayOfWeek', { $dayOfWeek: '$at' }, 5],
  ['$isoDayOfWeek of a Sunday', { $isoDayOfWeek: newYear }, 7],
  ['$week', { $week: newYear }, 1],
  ['$week before the first Sunday', { $week: { $date: '2021-01-02T00:00:00Z' } }, 0],
  ['$isoWeek', { $isoWeek: newYear }, 53],
  ['$isoWeekYear', { $isoWeekYear: newYear }, 2020],
  [
    '$dateToParts',
    { $dateToParts: { date: '$at' } },
    { year: 2024, month: 2, day: 29, hour: 13, minute: 45, second: 30, millisecond: 123 },
  ],
  [
    '$dateToParts in ISO weeks',
    { $dateToParts: { date: newYear, iso8601: true } },
    { isoWeekYear: 2020, isoWeek: 53, isoDayOfWeek: 7, hour: 0, minute: 0, second: 0, millisecond: 0 },
  ],
  ['$dateFromParts', { $dateFromParts: { year: 2024, month: 2, day: 29, hour: 12 } }, '2024-02-29T12:00:00.000Z'],
  ['$dateFromParts has defaults', { $dateFromParts: { year: 2024 } }, '2024-01-01T00:00:00.000Z'],
  [
    '$dateFromParts carries over',
    { $dateFromParts: { year: 2024, month: 14, day: 0, minute: -1 } },
    '2025-01-30T23:59:00.000Z',
  ],
  [
    '$dateFromParts in a zone',
    { $dateFromParts: { year: 2024, month: 7, timezone: 'Europe/Berlin' } },
    '2024-06-30T22:00:00.000Z',
  ],
  [
    '$dateFromParts of ISO weeks',
    { $dateFromParts: { isoWeekYear: 2020, isoWeek: 53, isoDayOfWeek: 7 } },
    '2021-01-03T00:00:00.000Z',
  ],
  ['$dateFromParts of null is null', { $dateFromParts: { year: 2024, month: '$null' } }, null],
  ['$dateToString', { $dateToString: { date: '$at' } }, '2024-02-29T13:45:30.123Z'],
  ['$dateToString in a zone', { $dateToString: { date: '$at', timezone: '+01:00' } }, '2024-02-29T14:45:30.123'],
  [
    '$dateToString in a format',
    {
      $dateToString: {
        date: '$at',
        format: '%d.%m.%Y %H:%M:%S,%L day %j week %V of %G, %u %w %U %b %B %%',
        timezone: 'UTC',
      },
    },
    '29.02.2024 13:45:30,123 day 060 week 09 of 2024, 4 5 08 Feb February %',
  ],
  [
    '$dateToString writes offsets',
    { $dateToString: { date: '$at', format: '%z %Z', timezone: '-03:30' } },
    '-0330 -210',
  ],
  [
    '$dateToString writes minutes ahead of UTC without a sign or zeros',
    {
      $map: {
        input: ['+05:30', '+00:00', '-00:30', '+04:30'],
        as: 'zone',
        in: { $dateToString: { date: '$at', format: '%Z', timezone: '$$zone' } },
      },
    },
    ['330', '0', '-30', '270'],
  ],
  ['$dateToString of null', { $dateToString: { date: '$null', onNull: 'none' } }, 'none'],
  ...[
    ['with a space and an offset', '2018-03-20 11:00:06 +0500', '2018-03-20T06:00:06.000Z'],
    ['of a day', '2018-03-03', '2018-03-03T00:00:00.000Z'],
    ['of a day with slashes', '2018/3/9', '2018-03-09T00:00:00.000Z'],
    ['of a day without anything between', '20180320', '2018-03-20T00:00:00.000Z'],
    ['with tenths', '2018-03-20T11:00:06.5Z', '2018-03-20T11:00:06.500Z'],
    ['with microseconds', '2018-03-20T11:00:06.123456', '2018-03-20T11:00:06.123Z'],
    ['without seconds', '2018-03-20 11:00', '2018-03-20T11:00:00.000Z'],
    ['in UTC by its name', '2018-03-20 11:00:06 UTC', '2018-03-20T11:00:06.000Z'],
    ['in lower case', '2018-03-20t11:00:06z', '2018-03-20T11:00:06.000Z'],
    ['with an offset of hours', '2018-03-20T11:00:06-08', '2018-03-20T19:00:06.000Z'],
    ['with the month by its name', 'July 4th, 2017', '2017-07-04T00:00:00.000Z'],
    ['with the month by three letters', '4 Jul 2017 12:30', '2017-07-04T12:30:00.000Z'],
    ['as in a mail', 'Tue, 20 Mar 2018 11:00:06 +0500', '2018-03-20T06:00:06.000Z'],
    ['of a year before 100', '0099-12-31', '0099-12-31T00:00:00.000Z'],
  ].map(([name = '', text = '', gives = '']): ExpressionRow => [`$toDate of a text ${name}`, { $toDate: text }, gives]),
  [
    '$dateFromString of a text that is as free',
    { $dateFromString: { dateString: '2018/3/20 11:00', timezone: '+05:00' } },
    '2018-03-20T06:00:00.000Z',
  ],
  ['$dateFromString', { $dateFromString: { dateString: '2024-02-29T13:45:30Z' } }, '2024-02-29T13:45:30.000Z'],
  [
    '$dateFromString of a day in a zone',
    { $dateFromString: { dateString: '2024-07-01', timezone: 'America/New_York' } },
    '2024-07-01T04:00:00.000Z',
  ],
  [
    '$dateFromString with an offset',
    { $dateFromString: { dateString: '2024-07-01 12:00:00+02:00' } },
    '2024-07-01T10:00:00.000Z',
  ],
  [
    '$dateFromString in a format',
    { $dateFromString: { dateString: '29 Feb 2024, 13h', format: '%d %b %Y, %Hh' } },
    '2024-02-29T13:00:00.000Z',
  ],
  [
    '$dateFromString in ISO weeks',
    { $dateFromString: { dateString: '2020-W53-7', format: '%G-W%V-%u' } },
    '2021-01-03T00:00:00.000Z',
  ],
  [
    '$dateFromString of days of the year',
    { $dateFromString: { dateString: '2024/060 +0100', format: '%Y/%j %z' } },
    '2024-02-28T23:00:00.000Z',
  ],
  [
    '$dateFromString reads fractions of a second',
    { $dateFromString: { dateString: '2024-07-01 12:00:02.8', format: '%Y-%m-%d %H:%M:%S.%L' } },
    '2024-07-01T12:00:02.800Z',
  ],
  [
    '$dateFromString with an offset of hours',
    { $dateFromString: { dateString: '2024-07-01T12:00:00+03' } },
    '2024-07-01T09:00:00.000Z',
  ],
  [
    '$dateFromString in a format with Z',
    { $dateFromString: { dateString: '2024/060 Z', format: '%Y/%j %z' } },
    '2024-02-29T00:00:00.000Z',
  ],
  ['$dateFromString of what is no date', { $dateFromString: { dateString: '2023-02-29', onError: 'bad' } }, 'bad'],
  ['$dateFromString of null', { $dateFromString: { dateString: '$null', onNull: 'none' } }, 'none'],
  ['$dateAdd of days', { $dateAdd: { startDate: leap, unit: 'day', amount: 1 } }, '2024-03-01T13:45:30.123Z'],
  [
    '$dateAdd of a year ends with the month',
    { $dateAdd: { startDate: leap, unit: 'year', amount: 1 } },
    '2025-02-28T13:45:30.123Z',
  ],
  [
    '$dateAdd of months',
    { $dateAdd: { startDate: { $date: '2024-01-31T00:00:00Z' }, unit: 'month', amount: 1 } },
    '2024-02-29T00:00:00.000Z',
  ],
  ['$dateAdd of a quarter', { $dateAdd: { startDate: leap, unit: 'quarter', amount: 1 } }, '2024-05-29T13:45:30.123Z'],
  [
    '$dateAdd of a day keeps the local clock',
    { $dateAdd: { startDate: { $date: '2024-03-30T12:00:00Z' }, unit: 'day', amount: 1, timezone: 'Europe/Berlin' } },
    '2024-03-31T11:00:00.000Z',
  ],
  [
    '$dateAdd of hours does not',
    { $dateAdd: { startDate: { $date: '2024-03-30T12:00:00Z' }, unit: 'hour', amount: 24, timezone: 'Europe/Berlin' } },
    '2024-03-31T12:00:00.000Z',
  ],
  ['$dateAdd of null is null', { $dateAdd: { startDate: '$null', unit: 'day', amount: 1 } }, null],
  ['$dateSubtract', { $dateSubtract: { startDate: '$at', unit: 'week', amount: 2 } }, '2024-02-15T13:45:30.123Z'],
  [
    '$dateDiff of days counts midnights',
    { $dateDiff: { startDate: { $date: '2024-02-28T23:59:00Z' }, endDate: leap, unit: 'day' } },
    1,
  ],
  [
    '$dateDiff of years counts new years',
    { $dateDiff: { startDate: { $date: '2023-12-31T00:00:00Z' }, endDate: leap, unit: 'year' } },
    1,
  ],
  [
    '$dateDiff backwards',
    { $dateDiff: { startDate: leap, endDate: { $date: '2023-12-31T00:00:00Z' }, unit: 'month' } },
    -2,
  ],
  [
    '$dateDiff of quarters',
    {
      $dateDiff: {
        startDate: { $date: '2023-12-31T00:00:00Z' },
        endDate: { $date: '2024-04-01T00:00:00Z' },
        unit: 'quarter',
      },
    },
    2,
  ],
  [
    '$dateDiff of hours does not ask when weeks begin',
    { $dateDiff: { startDate: leap, endDate: leap, unit: 'hour', startOfWeek: 'never' } },
    0,
  ],
  [
    '$dateDiff in a missing zone is null',
    { $dateDiff: { startDate: leap, endDate: leap, unit: 'day', timezone: '$nothing' } },
    null,
  ],
  [
    '$dateDiff of weeks counts Sundays',
    {
      $dateDiff: {
        startDate: { $date: '2024-03-02T00:00:00Z' },
        endDate: { $date: '2024-03-03T00:00:00Z' },
        unit: 'week',
      },
    },
    1,
  ],
  [
    '$dateDiff of weeks counts Mondays when told',
    {
      $dateDiff: {
        startDate: { $date: '2024-03-02T00:00:00Z' },
        endDate: { $date: '2024-03-03T00:00:00Z' },
        unit: 'week',
        startOfWeek: 'mon',
      },
    },
    0,
  ],
  [
    '$dateDiff of hours',
    {
      $dateDiff: {
        startDate: { $date: '2024-03-02T00:59:00Z' },
        endDate: { $date: '2024-03-02T02:00:00Z' },
        unit: 'hour',
      },
    },
    2,
  ],
  [
    '$dateDiff of hours passes changes of the clocks by',
    {
      $dateDiff: {
        startDate: { $date: '2024-03-31T00:00:00Z' },
        endDate: { $date: '2024-03-31T02:00:00Z' },
        unit: 'hour',
        timezone: 'Europe/Berlin',
      },
    },
    2,
  ],
  [
    '$dateDiff of milliseconds',
    {
      $dateDiff: {
        startDate: { $date: '2024-03-02T00:00:00Z' },
        endDate: { $date: '2024-03-02T00:00:01Z' },
        unit: 'millisecond',
      },
    },
    1000,
  ],
  ['$dateDiff of null is null', { $dateDiff: { startDate: '$null', endDate: leap, unit: 'day' } }, null],
  ['$dateTrunc to the hour', { $dateTrunc: { date: '$at', unit: 'hour' } }, '2024-02-29T13:00:00.000Z'],
  [
    '$dateTrunc to bins of minutes',
    { $dateTrunc: { date: '$at', unit: 'minute', binSize: 20 } },
    '2024-02-29T13:40:00.000Z',
  ],
  [
    '$dateTrunc to the day in a zone',
    { $dateTrunc: { date: '$at', unit: 'day', timezone: 'Asia/Tokyo' } },
    '2024-02-28T15:00:00.000Z',
  ],
  ['$dateTrunc to the week', { $dateTrunc: { date: '$at', unit: 'week' } }, '2024-02-25T00:00:00.000Z'],
  [
    '$dateTrunc to the week from Monday',
    { $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'Monday' } },
    '2024-02-26T00:00:00.000Z',
  ],
  ['$dateTrunc to the month', { $dateTrunc: { date: '$at', unit: 'month' } }, '2024-02-01T00:00:00.000Z'],
  ['$dateTrunc to the quarter', { $dateTrunc: { date: '$at', unit: 'quarter' } }, '2024-01-01T00:00:00.000Z'],
  [
    '$dateTrunc to bins of years',
    { $dateTrunc: { date: '$at', unit: 'year', binSize: 5 } },
    '2020-01-01T00:00:00.000Z',
  ],
  [
    '$dateTrunc before the reference',
    { $dateTrunc: { date: { $date: '1999-12-31T23:59:59Z' }, unit: 'month', binSize: 5 } },
    '1999-08-01T00:00:00.000Z',
  ],
  ['$dateTrunc of null is null', { $dateTrunc: { date: '$null', unit: 'day' } }, null],
  [
    '$add and $subtract round half milliseconds away from zero',
    [
      { $add: [{ $toDate: '$at' }, -1.5] },
      { $add: [{ $toDate: '$at' }, 1.5] },
      { $subtract: [{ $toDate: '$at' }, 1.5] },
      { $subtract: [{ $toDate: '$at' }, -2.5] },
    ],
    ['2024-02-29T13:45:30.121Z', '2024-02-29T13:45:30.125Z', '2024-02-29T13:45:30.121Z', '2024-02-29T13:45:30.126Z'],
  ],
  [
    '$add rounds each number behind a date by itself, and those before it together',
    [{ $add: [{ $toDate: '$at' }, 1.5, 1.5] }, { $add: [1.5, 1.5, { $toDate: '$at' }] }],
    ['2024-02-29T13:45:30.127Z', '2024-02-29T13:45:30.126Z'],
  ],
])

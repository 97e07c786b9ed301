import type { Json } from '../../src/kernel/json.ts'
import { QUERY_ERRORS } from '../../src/query/errors.ts'
import type { RefusalCase } from './case.ts'

type Row = readonly [name: string, expression: Json, path: string]

function refused(error: keyof typeof QUERY_ERRORS, rows: readonly Row[]): RefusalCase[] {
  const { code } = QUERY_ERRORS[error]
  return rows.map(([name, expression, path]) => ({
    name,
    filter: { $expr: expression },
    code,
    path: `query.$expr${path}`,
  }))
}

const nested = (levels: number): Json => (levels === 0 ? 1 : { $not: [nested(levels - 1)] })

/** Expressions that are refused before they run, as filters with `$expr`. */
export const expressionRefusalCases: readonly RefusalCase[] = [
  ...refused('unknownExpression', [
    ['an unknown operator', { $addd: [1, 2] }, '.$addd'],
    ['an unknown operator within', { $add: [1, { $foo: 2 }] }, '.$add[1].$foo'],
    ['a name of every object', { $constructor: 1 }, '.$constructor'],
  ]),
  ...refused('unsupportedExpression', [
    ['$function', { $function: { body: 'return 1', args: [], lang: 'js' } }, '.$function'],
    ['$accumulator', { $accumulator: {} }, '.$accumulator'],
    ['$rand', { $lt: [{ $rand: {} }, 0.5] }, '.$lt[0].$rand'],
    ['$meta', { $meta: 'textScore' }, '.$meta'],
    ['$toObjectId', { $toObjectId: '$_id' }, '.$toObjectId'],
  ]),
  ...refused('invalidExpression', [
    ['too few arguments', { $eq: [1] }, '.$eq'],
    ['too many arguments', { $eq: [1, 2, 3] }, '.$eq'],
    ['an argument where two are needed', { $divide: '$a' }, '.$divide'],
    ['no arguments where one is needed', { $not: [] }, '.$not'],
    ['an operator beside fields', { $add: [1, 2], b: 1 }, ''],
    ['two operators', { $gt: [1, 2], $lt: [1, 2] }, ''],
    ['an object with dots in a name', { $eq: [{ 'a.b': 1 }, 1] }, '.$eq[0].a.b'],
    ['a lone $', { $eq: ['$', 1] }, '.$eq[0]'],
    ['a path with an empty component', { $eq: ['$a..b', 1] }, '.$eq[0]'],
    ['a path with a dot at the end', { $eq: ['$a.', 1] }, '.$eq[0]'],
    ['a path with an operator', { $eq: ['$a.$b', 1] }, '.$eq[0]'],
    ['a named argument that is unknown', { $map: { input: [], as: 'x', inn: 1 } }, '.$map'],
    ['a named argument that is lacking', { $map: { input: [] } }, '.$map'],
    ['a list where names are needed', { $filter: [1, 2] }, '.$filter'],
    ['a variable in capitals', { $let: { vars: { X: 1 }, in: 1 } }, '.$let'],
    ['a variable with a dot', { $map: { input: [], as: 'a.b', in: 1 } }, '.$map'],
    ['a variable that is no text', { $map: { input: [], as: 1, in: 1 } }, '.$map'],
    ['variables that are no object', { $let: { vars: [1], in: 1 } }, '.$let'],
    ['$cond without else', { $cond: [1, 2] }, '.$cond'],
    ['$switch without branches', { $switch: { branches: [] } }, '.$switch'],
    ['$switch with half a branch', { $switch: { branches: [{ case: 1 }] } }, '.$switch'],
    ['$sortArray without an order', { $sortArray: { input: [], sortBy: 2 } }, '.$sortArray'],
    ['$zip without inputs', { $zip: { inputs: [] } }, '.$zip'],
    ['$zip with defaults that are not used', { $zip: { inputs: [[1]], defaults: [1] } }, '.$zip'],
    ['$zip with too few defaults', { $zip: { inputs: [[1], [2]], defaults: [1], useLongestLength: true } }, '.$zip'],
    ['$setField by a computed name', { $setField: { field: '$a', input: {}, value: 1 } }, '.$setField'],
    ['$convert to a type that is unknown', { $convert: { input: 1, to: 'objectId' } }, '.$convert'],
    ['$median by another method', { $median: { input: [], method: 'exact' } }, '.$median'],
    ['$percentile beyond 1', { $percentile: { input: [], p: [2], method: 'approximate' } }, '.$percentile'],
    ['$dateFromParts without a year', { $dateFromParts: { month: 1 } }, '.$dateFromParts'],
    ['$dateFromParts of both calendars', { $dateFromParts: { isoWeekYear: 2020, month: 1 } }, '.$dateFromParts'],
  ]),
  ...refused('unknownVariable', [
    ['an unknown variable', { $eq: ['$$x', 1] }, '.$eq[0]'],
    ['a variable out of its scope', { $add: [{ $let: { vars: { x: 1 }, in: '$$x' } }, '$$x'] }, '.$add[1]'],
    ['a variable beside its own definition', { $let: { vars: { x: 1, y: '$$x' }, in: 1 } }, '.$let.vars.y'],
    ['$$this outside of $map', { $eq: ['$$this', 1] }, '.$eq[0]'],
    ['$$NOW', { $lt: ['$createdAt', '$$NOW'] }, '.$lt[1]'],
  ]),
  ...refused('invalidPattern', [
    ['a pattern that is not closed', { $regexMatch: { input: '$a', regex: '(' } }, '.$regexMatch.regex'],
    ['an unknown option', { $regexMatch: { input: '$a', regex: 'a', options: 'q' } }, '.$regexMatch.regex'],
  ]),
  ...refused('unsupportedPattern', [
    ['a look-ahead', { $regexMatch: { input: '$a', regex: 'a(?=b)' } }, '.$regexMatch.regex'],
  ]),
  {
    name: 'an expression that is nested too deep',
    filter: { $expr: nested(64) },
    code: QUERY_ERRORS.boundExceeded.code,
    path: `query.$expr${'.$not[0]'.repeat(63)}.$not`.slice(0, 400).concat('…'),
  },
]

/** Expressions over `{text: 'x', list: [1], zero: 0}` that fail when they run: the place that fails. */
export const expressionFailureCases: readonly Row[] = [
  ['adding text', { $add: ['$text', 1] }, '.$add'],
  ['adding text before null', { $add: ['$text', null] }, '.$add'],
  ['multiplying text before null', { $multiply: ['$text', null] }, '.$multiply'],
  ['joining a number before null', { $concat: [1, null] }, '.$concat'],
  ['joining text as an array before null', { $concatArrays: ['$text', null] }, '.$concatArrays'],
  ['a union of text before null', { $setUnion: ['$text', null] }, '.$setUnion'],
  ['an intersection of text before null', { $setIntersection: ['$text', null] }, '.$setIntersection'],
  ['rows of text before null', { $zip: { inputs: ['$text', null] } }, '.$zip'],
  ['bits of text before null', { $bitOr: ['$text', null] }, '.$bitOr'],
  ['an angle of text before null', { $atan2: ['$text', null] }, '.$atan2'],
  ['rounding text to null', { $round: ['$text', null] }, '.$round'],
  ['slicing text without a count', { $slice: ['$text', 1, null] }, '.$slice'],
  ['trimming a number of null', { $trim: { input: 5, chars: null } }, '.$trim'],
  ['null in a time zone that is none', { $dateToString: { date: null, timezone: 'nowhere' } }, '.$dateToString'],
  ['null in a format that is none', { $dateToString: { date: null, format: '%q' } }, '.$dateToString'],
  ['no text in a time zone that is none', { $dateFromString: { dateString: null, timezone: 'x' } }, '.$dateFromString'],
  ['the parts of null in no time zone', { $dateToParts: { date: null, timezone: 'nowhere' } }, '.$dateToParts'],
  ['no hour of text in no time zone', { $hour: { date: '$text', timezone: null } }, '.$hour'],
  ['an unknown unit of null', { $dateAdd: { startDate: '$$ROOT', unit: 'days', amount: null } }, '.$dateAdd'],
  ['text with a day that no month has', { $toDate: '2018-02-30' }, '.$toDate'],
  ['text that could mean two days', { $toDate: '4/7/2018' }, '.$toDate'],
  ['text that is the name of a day', { $toDate: 'Friday' }, '.$toDate'],
  ['adding two dates', { $add: [{ $date: '2024-01-01' }, { $date: '2024-01-01' }] }, '.$add'],
  ['subtracting text', { $subtract: ['$text', 1] }, '.$subtract'],
  ['dividing by zero', { $divide: [1, '$zero'] }, '.$divide'],
  ['dividing text, within', { $gt: [{ $divide: ['$text', 2] }, 1] }, '.$gt[0].$divide'],
  ['the remainder of zero', { $mod: [1, 0] }, '.$mod'],
  ['a negative root', { $sqrt: -1 }, '.$sqrt'],
  ['a logarithm of 0', { $ln: 0 }, '.$ln'],
  ['a logarithm to base 1', { $log: [2, 1] }, '.$log'],
  ['0 to a negative power', { $pow: [0, -1] }, '.$pow'],
  ['an arc sine of 2', { $asin: 2 }, '.$asin'],
  ['bits of a fraction', { $bitAnd: [1.5] }, '.$bitAnd'],
  ['a place beyond all digits', { $round: [1, 101] }, '.$round'],
  ['an element of text', { $arrayElemAt: ['$text', 0] }, '.$arrayElemAt'],
  ['an element at a fraction', { $arrayElemAt: ['$list', 0.5] }, '.$arrayElemAt'],
  ['the size of a missing field', { $size: '$nothing' }, '.$size'],
  ['searching in text', { $in: ['x', '$text'] }, '.$in'],
  ['the first none', { $firstN: { input: '$list', n: 0 } }, '.$firstN'],
  ['a slice of none', { $slice: ['$list', 0, 0] }, '.$slice'],
  ['a range without steps', { $range: [0, 5, 0] }, '.$range'],
  ['a range of fractions', { $range: [0, 1.5] }, '.$range'],
  ['mapping text', { $map: { input: '$text', in: 1 } }, '.$map'],
  ['an object of odd pairs', { $arrayToObject: { $literal: [['a']] } }, '.$arrayToObject'],
  ['sets of null', { $setEquals: [null, []] }, '.$setEquals'],
  ['joining numbers', { $concat: ['a', 1] }, '.$concat'],
  ['upper case of a list', { $toUpper: '$list' }, '.$toUpper'],
  ['splitting by nothing', { $split: ['$text', ''] }, '.$split'],
  ['half a character', { $substrBytes: ['é', 0, 1] }, '.$substrBytes'],
  ['the length of null', { $strLenCP: null }, '.$strLenCP'],
  ['a pattern over numbers', { $regexMatch: { input: 5, regex: 'a' } }, '.$regexMatch'],
  ['text that is no number', { $toInt: '1.5' }, '.$toInt'],
  ['a number beyond 32 bits', { $toInt: 2 ** 31 }, '.$toInt'],
  ['a number beyond 2^53', { $toLong: '9007199254740993' }, '.$toLong'],
  ['text that is no date', { $toDate: 'soon' }, '.$toDate'],
  ['the year of text', { $year: '$text' }, '.$year'],
  ['an unknown timezone', { $hour: { date: { $date: '2024-01-01' }, timezone: 'Mars/Base' } }, '.$hour'],
  ['an unknown unit', { $dateAdd: { startDate: { $date: '2024-01-01' }, unit: 'days', amount: 1 } }, '.$dateAdd'],
  ['more hours than anybody means', { $dateFromParts: { year: 2024, hour: 40_000 } }, '.$dateFromParts'],
  ['an unknown format', { $dateToString: { date: { $date: '2024-01-01' }, format: '%q' } }, '.$dateToString'],
  ['a date in the wrong format', { $dateFromString: { dateString: '2024', format: '%Y-%m-%d' } }, '.$dateFromString'],
  ['no branch that holds', { $switch: { branches: [JSON.parse('{"case":false,"then":1}')] } }, '.$switch'],
  ['merging numbers', { $mergeObjects: [1] }, '.$mergeObjects'],
]

/** Expressions that would take too long or grow too large. */
export const expressionCostCases: readonly Row[] = [
  [
    'asking many clocks',
    {
      $map: {
        input: { $range: [0, 30_000] },
        in: { $hour: { date: { $toDate: '$$this' }, timezone: 'Europe/Berlin' } },
      },
    },
    '.$map.in.$hour',
  ],
  ['a long range', { $range: [0, 2_000_000] }, '.$range'],
  [
    'ranges within ranges',
    { $map: { input: { $range: [0, 2000] }, in: { $size: { $range: [0, 2000] } } } },
    '.$map.in.$size',
  ],
  [
    'text that doubles',
    { $reduce: { input: { $range: [0, 60] }, initialValue: 'xxxxxxxx', in: { $concat: ['$$value', '$$value'] } } },
    '.$reduce.in.$concat',
  ],
  [
    'arrays that double',
    { $reduce: { input: { $range: [0, 60] }, initialValue: [1], in: { $concatArrays: ['$$value', '$$value'] } } },
    '.$reduce.in.$concatArrays',
  ],
  [
    'replacing that grows',
    {
      $reduce: {
        input: { $range: [0, 60] },
        initialValue: 'xx',
        in: { $replaceAll: { input: '$$value', find: 'x', replacement: 'xxxxxxxxxx' } },
      },
    },
    '.$reduce.in.$replaceAll',
  ],
]

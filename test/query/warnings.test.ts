import { describe, expect, it } from 'vitest'
import type { Warning } from '../../src/kernel/warnings.ts'
import type { FieldKind } from '../../src/query/ast/survey.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import type { FieldGuide, FieldKnowledge } from '../../src/query/warnings/field-knowledge.ts'
import { findWarnings } from '../../src/query/warnings/find-warnings.ts'

type Query = Parameters<typeof parseFilter>[0]

/** What somebody sees whose records have fields of these kinds; of some paths it cannot be known. */
function knowing(
  fields: Readonly<Record<string, readonly FieldKind[]>>,
  unknown: readonly string[] = [],
): FieldKnowledge {
  return {
    hasRecords: () => Object.keys(fields).length > 0,
    kindsAt: (path) => (unknown.includes(path) ? null : new Set(fields[path] ?? [])),
    hasValue: () => true,
    paths: (most) => Object.keys(fields).slice(0, most),
  }
}

const GUIDE: FieldGuide = {
  many: 'things',
  documented: new Set(),
  otherNames: new Map(),
  instants: new Set(),
  noteOf: () => null,
  spelling: () => null,
}

const FIELDS = {
  _id: ['string'],
  rank: ['number'],
  name: ['string'],
  tags: ['array', 'string'],
} as const
const RANKED = knowing(FIELDS, ['deep'])

function warningsOf(query: Query, knowledge = RANKED, guide = GUIDE): readonly Warning[] {
  return findWarnings({ filter: parseFilter(query), sort: [], fields: null }, knowledge, guide, true)
}
const told = (query: Query, knowledge?: FieldKnowledge) =>
  warningsOf(query, knowledge).map(({ code, path }) => [code, path])

it('nothing is asked of records where a request names no field', () => {
  const refuse = (): never => {
    throw new Error('asked')
  }
  const knowledge = { hasRecords: refuse, kindsAt: refuse, hasValue: refuse, paths: refuse }
  expect(findWarnings({ filter: parseFilter({}), sort: [], fields: null }, knowledge, GUIDE, true)).toEqual([])
})

describe('conditions that nothing meets', () => {
  it.each<[Query, string]>([
    [{ rank: { $gt: 5, $lt: 5 } }, 'query.rank'],
    [{ rank: { $gte: 5, $lt: 5 } }, 'query.rank'],
    [{ rank: { $gt: 5, $lte: 5 } }, 'query.rank'],
    [{ rank: { $gte: 5, $gt: 5, $lte: 5 } }, 'query.rank'],
    [{ rank: { $gt: 5, $gte: 5, $lte: 5 } }, 'query.rank'],
    [{ rank: { $gte: 5, $lte: 5, $lt: 5 } }, 'query.rank'],
    [{ $and: [{ rank: 5 }, { rank: 6 }] }, 'query.$and[1].rank'],
    [{ $and: [{ rank: 5 }, { $and: [{ rank: { $gt: 5 } }] }] }, 'query.$and[1].$and[0].rank'],
    [{ $and: [{ rank: { $gt: 5 } }, { name: { $gt: 'x' } }, { rank: { $lt: 5 } }] }, 'query.$and[2].rank'],
  ])('are told: %j', (query, place) => {
    expect(told(query)).toEqual([[20009, place]])
  })

  it.each<Query>([
    { rank: { $gte: 5, $lte: 5 } },
    { $and: [{ rank: 5 }, { rank: { $gte: 5 } }] },
    { rank: { $gt: 5, $lt: 6 } },
    { $or: [{ rank: 5 }, { rank: 6 }] },
    { $and: [{ rank: 5 }, { $or: [{ rank: 5 }, { rank: 6 }] }] },
    { $nor: [{ rank: { $gt: 5, $lt: 5 } }] },
    { $and: [{ tags: 'a' }, { tags: 'b' }] },
    { $and: [{ rank: 5 }, { name: 'x' }] },
  ])('are not told where something does: %j', (query) => {
    expect(told(query)).toEqual([])
  })

  it('are not told of fields of which it cannot be known whether they are lists', () => {
    expect(told({ deep: { $gt: 5, $lt: 5 } })).toEqual([])
  })

  it('say which of two bounds that are alike counts', () => {
    const [warning] = warningsOf({ rank: { $gte: 5, $gt: 5, $lte: 5 } })
    expect(warning?.message).toContain('more than 5 and at most 5')
  })
})

describe('warnings of a request', () => {
  it('are twenty at the most', () => {
    const query = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`unheard${at}`, 1]))
    expect(warningsOf(query)).toHaveLength(20)
  })

  it('are of each field once', () => {
    expect(told({ $or: [{ unheard: 1 }, { unheard: 2 }, { unheard: { $gt: 3 } }] })).toEqual([
      [20001, 'query.$or[0].unheard'],
    ])
  })

  it.each<[Query, string]>([
    [{ rankk: 1 }, ', so the condition holds for none of them.'],
    [{ rankk: { $ne: 1 } }, ', so the condition holds for all of them.'],
    [{ rankk: { $not: { $gt: 5, $exists: false } } }, ', so the condition holds for all of them.'],
    [{ rankk: { $exists: false, $gt: 5 } }, ', so the condition holds for none of them.'],
    [{ $nor: [{ rankk: 1 }] }, ', so none of them meets this condition, which is negated.'],
    [{ $nor: [{ rankk: { $ne: 1 } }] }, ', so all of them meet this condition, which is negated.'],
    [{ $nor: [{ $nor: [{ rankk: 1 }] }] }, ', so the condition holds for none of them.'],
    [{ 'tags.name': null }, '.'],
    [{ 'tags.name': { $gt: 1 } }, ', so the condition holds for none of them.'],
    [{ $expr: { $gt: ['$rankk', 1] } }, ', so the condition holds for none of them.'],
    [{ $expr: { $lt: ['$rankk', 1] } }, ', so the condition holds for all of them.'],
    [{ $expr: { $gt: ['$rankk', '$rank'] } }, '.'],
    [{ tags: { $elemMatch: { rankk: 1 } } }, '.'],
  ])('say what comes of a field that nobody has, where that is known: %j', (query, consequence) => {
    const told = warningsOf(query, knowing({ ...FIELDS, 'tags.nane': ['string'], 'tags.rank': ['number'] }))
    expect(told[0]?.message.replace(/ Did you mean.*/, '')).toMatch(
      /^None of the things that you can see has "[a-z.]+"/,
    )
    expect(told[0]?.message.replace(/ Did you mean.*/, '').endsWith(`"${consequence}`)).toBe(true)
  })

  it('name what may be meant from what the asker has, whoever asked before', () => {
    const theirs = knowing({ _id: ['string'], unobtainium: ['number'] })
    const messageOf = (knowledge: FieldKnowledge) => warningsOf({ unobtanium: 1 }, knowledge)[0]?.message
    expect(messageOf(theirs)).toContain('"unobtainium"')
    expect(messageOf(RANKED)).not.toContain('unobtainium')
    expect(messageOf(theirs)).toContain('"unobtainium"')
  })

  it('are of a list of values where none of them is of a type that the field has', () => {
    expect(told({ rank: { $in: ['x', 'y'] } })).toEqual([[20002, 'query.rank.$in']])
    expect(told({ rank: { $in: ['x', 5] } })).toEqual([])
  })
})

/** Some records: a value is there where one of these has it. */
const HELD: readonly (readonly [string, unknown])[] = [
  ['tags', ['a']],
  ['a', 3.5],
]

describe('a hint', () => {
  const knowledge: FieldKnowledge = {
    ...knowing({
      ...FIELDS,
      flag: ['boolean'],
      a: ['number'],
      formula: ['string'],
      cell: ['object'],
      'cell.a': ['number'],
    }),
    hasValue: (path, value) => HELD.some((held) => JSON.stringify(held) === JSON.stringify([path, value])),
  }
  const guide: FieldGuide = {
    ...GUIDE,
    spelling: (path, text) =>
      path !== 'formula' || text !== 'O2Ti'
        ? null
        : { fault: 'is written "TiO2"', right: 'TiO2', hint: 'Write "TiO2".', instead: [{ operand: 'TiO2' }] },
  }
  const hintsOf = (query: Query) => warningsOf(query, knowledge, guide).map(({ hint }) => hint)

  it.each<[Query, object]>([
    [{ rank: '2' }, { rank: 2 }],
    [{ rank: { $ne: '2' } }, { rank: { $ne: 2 } }],
    [{ rank: { $in: ['2', '3'] } }, { rank: { $in: [2, 3] } }],
    [{ rank: { $nin: ['2', '3'] } }, { rank: { $nin: [2, 3] } }],
    [{ rank: { $not: { $gt: '2', $lt: '5' } } }, { rank: { $not: { $gt: 2, $lt: 5 } } }],
    [{ rank: '2-4' }, { rank: { $gte: 2, $lte: 4 } }],
    [{ rank: { $ne: '2-4' } }, { rank: { $not: { $gte: 2, $lte: 4 } } }],
    [{ flag: { $ne: 'false' } }, { flag: { $ne: false } }],
    [{ formula: { $ne: 'O2Ti' } }, { formula: { $ne: 'TiO2' } }],
    [{ formula: { $nin: ['O2Ti', 'Si'] } }, { formula: { $nin: ['TiO2', 'Si'] } }],
    [{ formula: { $all: ['O2Ti'] } }, { formula: { $all: ['TiO2'] } }],
    [{ name: { $ne: '/si/' } }, { name: { $not: { $regex: 'si' } } }],
    [{ name: { $in: ['/si/i', 'x'] } }, { name: { $in: [{ $regex: 'si', $options: 'i' }, 'x'] } }],
    [{ name: { $regex: '/si/i', $options: 's' } }, { name: { $regex: 'si', $options: 'is' } }],
    [{ rank: { $ne: [2, 3] } }, { rank: { $nin: [2, 3] } }],
    [{ rank: { $ne: { gt: 2 } } }, { rank: { $not: { $gt: 2 } } }],
    [{ tags: { $elemMatch: { $eq: '/x/' } } }, { tags: { $elemMatch: { $regex: 'x' } } }],
    [{ a: 3.45 }, { a: { $gte: 3.445, $lt: 3.455 } }],
    [{ name: { $exists: 'no' } }, { name: { $exists: false } }],
    [{ tags: ['b', 'a'] }, { tags: { $all: ['b', 'a'] } }],
    [{ cell: { a: 3, b: 4 } }, { 'cell.a': 3, 'cell.b': 4 }],
    [{ rank: { $ne: '$a' } }, { $expr: { $ne: ['$rank', '$a'] } }],
    [{ rank: { $not: { $gt: '$a' } } }, { $expr: { $not: [{ $gt: ['$rank', '$a'] }] } }],
    [{ or: [{ rank: 1 }, { rank: 2 }] }, { $or: [{ rank: 1 }, { rank: 2 }] }],
  ])('is the condition as it was sent, with its operators: %j', (query, expected) => {
    expect(hintsOf(query).join(' ')).toContain(JSON.stringify(expected))
  })

  it.each<Query>([{ rank: { $gt: '2-4' } }, { rank: { $ne: 'x'.repeat(400) } }])(
    'is no query where an edit makes none, or one with the same fault: %j',
    (query) => {
      expect(hintsOf(query).join(' ')).not.toContain('{')
    },
  )
})

describe('what the whole did not find', () => {
  const knowledge: FieldKnowledge = {
    ...knowing({ ...FIELDS, a: ['number'], 'sites.x': ['number'], sites: ['array', 'object'] }),
    hasValue: (path, value) => HELD.some((held) => JSON.stringify(held) === JSON.stringify([path, value])),
  }

  it.each<[Query, readonly number[]]>([
    [{ tags: ['a'], rank: 9 }, []],
    [{ tags: ['b'], rank: 9 }, [20005]],
    [{ tags: { $ne: ['b'] }, rank: 9 }, []],
    [{ tags: { $not: { $in: [['b']] } }, rank: 9 }, []],
    [{ a: 3.5, rank: 9 }, []],
    [{ a: 3.6, rank: 9 }, [20008]],
    [{ a: { $ne: 3.6 }, rank: 9 }, []],
    [{ $nor: [{ a: 3.6 }] }, []],
    [{ 'sites.x': { $gt: 5, $lt: 3 } }, []],
  ])('is no evidence about one condition: %j', (query, codes) => {
    expect(warningsOf(query, knowledge).map(({ code }) => code)).toEqual(codes)
  })
})

describe('an index', () => {
  it('is told of below what is never a list', () => {
    expect(told({ 'rank.0': 2 })).toEqual([[20001, 'query.rank.0']])
    expect(told({ 'tags.0': 'x', 'tags.0.1': { $exists: false } })).toEqual([])
  })
})

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
  notes: new Map(),
  spelling: () => null,
}

const RANKED = knowing({ _id: ['string'], rank: ['number'], name: ['string'], tags: ['array', 'string'] }, ['deep'])

function warningsOf(query: Query, knowledge = RANKED, guide = GUIDE): readonly Warning[] {
  return findWarnings({ filter: parseFilter(query), sort: [], fields: null }, knowledge, guide, true)
}
const told = (query: Query, knowledge?: FieldKnowledge) =>
  warningsOf(query, knowledge).map(({ code, path }) => [code, path])

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

  it('say what comes of a field that nobody has, as often as it is negated', () => {
    const holdsFor = (query: Query) => /holds for (\w+) of them/.exec(warningsOf(query)[0]?.message ?? '')?.[1]
    expect(holdsFor({ rankk: 1 })).toBe('none')
    expect(holdsFor({ $nor: [{ rankk: 1 }] })).toBe('all')
    expect(holdsFor({ $nor: [{ $nor: [{ rankk: 1 }] }] })).toBe('none')
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

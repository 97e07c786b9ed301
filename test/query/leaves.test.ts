import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import {
  cutLeafString,
  isIndexedPath,
  LEAF_STRING_LIMIT,
  leavesOf,
  partialPathsOf,
} from '../../src/query/narrow/leaves.ts'

/** Leaves as `path=value`, in the order of the document. */
function leafTexts(document: JsonObject): string[] {
  return leavesOf(document).map(({ path, value }) => `${path}=${JSON.stringify(value)}`)
}

describe('the leaves of a document', () => {
  it('are its scalars by dotted path, arrays transparent for one level', () => {
    const document = { name: 'Si', lattice: { a: 5.4 }, tags: ['x', null], sites: [{ at: 1 }, { at: true }] }
    expect(leafTexts(document)).toEqual([
      'name="Si"',
      'lattice.a=5.4',
      'tags="x"',
      'tags=null',
      'sites.at=1',
      'sites.at=true',
    ])
  })

  it('name an array directly inside an array []', () => {
    expect(leafTexts({ a: [[5, [6]], { b: [[{ c: 7 }]] }] })).toEqual(['a.[]=5', 'a.[].[]=6', 'a.b.[].c=7'])
  })

  it('leave out what no path can name, and what is empty', () => {
    expect(leafTexts({ '': 1, 'a.b': { c: 2 }, d: [], e: {}, f: [{}] })).toEqual([])
  })

  it('keep -0 as 0', () => {
    expect(leavesOf({ a: -0 }).map(({ value }) => Object.is(value, 0))).toEqual([true])
  })

  it('keep fields that are called like properties of JavaScript objects', () => {
    expect(leafTexts(JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonObject)).toEqual([
      '__proto__.a=1',
      'constructor=2',
    ])
  })

  it('are plain when no array is on the way', () => {
    const plain = leavesOf({ a: 1, b: [2], c: { d: 3 }, e: [{ f: 4 }] }).filter((leaf) => leaf.plain)
    expect(plain.map(({ path }) => path)).toEqual(['a', 'c.d'])
  })

  it('leave out vectors, and tell at which path', () => {
    const document = {
      spectrum: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      sites: [{ at: [0, 0.5, 0] }],
      matrix: [[1, 0, 0]],
      few: [1, 2],
    }
    expect(leafTexts(document)).toEqual(['few=1', 'few=2'])
    expect([...partialPathsOf(document)]).toEqual(['spectrum', 'sites.at', 'matrix.[]'])
  })

  it('cut long strings at a character boundary, never more than three bytes before the limit', () => {
    for (const character of ['x', 'é', '€', '\u{1f600}']) {
      const [leaf] = leavesOf({ a: `x${character.repeat(300)}` })
      const bytes = Buffer.byteLength(String(leaf?.value))
      expect(leaf?.truncated).toBe(true)
      expect(bytes).toBeLessThanOrEqual(LEAF_STRING_LIMIT)
      expect(bytes).toBeGreaterThan(LEAF_STRING_LIMIT - 4)
      expect(String(leaf?.value).endsWith(character)).toBe(true)
    }
    expect(cutLeafString('y'.repeat(LEAF_STRING_LIMIT))).toHaveLength(LEAF_STRING_LIMIT)
  })

  it('leave out half a surrogate pair, and tell at which path', () => {
    expect(leafTexts({ a: 'x\ud800' })).toEqual([])
    expect([...partialPathsOf({ a: 'x\ud800' })]).toEqual(['a'])
  })

  it('end where a path becomes too deep or too long, which the path itself tells', () => {
    let deep: JsonObject = { end: 1 }
    for (let i = 0; i < 70; i += 1) deep = { k: deep }
    expect(leafTexts(deep)).toEqual([])
    expect(isIndexedPath(`${'k.'.repeat(70)}end`)).toBe(false)
    expect(leafTexts({ ['k'.repeat(600)]: 1 })).toEqual([])
    expect(isIndexedPath('k'.repeat(600))).toBe(false)
    expect(isIndexedPath('lattice.a')).toBe(true)
  })

  it('are found in documents nested far deeper than any call stack', () => {
    const text = `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`
    expect(leafTexts({ top: JSON.parse(text) as JsonObject })).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Column } from '../../src/engine/column.ts'
import { type ColumnParts, encodeColumn } from '../../src/engine/column-parts.ts'
import { COLUMN_BOUNDS, ColumnGatherer, REST_PATH } from '../../src/engine/gather-columns.ts'
import { type EncodedSegment, encodeSegment, locate, readBundle } from '../../src/engine/segment-chunks.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { documents } from '../support/arbitraries.ts'

function gathered(given: readonly JsonObject[]): ColumnGatherer {
  const gatherer = new ColumnGatherer()
  for (const document of given) gatherer.add(document)
  return gatherer
}

/** The bytes of a column, found as a store finds them: the chunk by the catalog, then the column in it. */
function bytesOf({ catalog, chunks }: EncodedSegment, path: string): Uint8Array | null {
  const place = locate(catalog, path)
  if (place === null) return null
  const chunk = chunks[place.chunk] as Uint8Array
  return place.isBundle ? (readBundle(chunk).get(path) ?? null) : chunk
}

/** A segment with columns of every size: some of one byte a row, some of a text a row, and more of them than a bundle holds. */
function mixedDocuments(): readonly JsonObject[] {
  return Array.from({ length: 400 }, (_, row) => {
    const rare = Object.fromEntries(Array.from({ length: 40 }, (_, field) => [`rare${(row * 7 + field) % 600}`, field]))
    return { name: `material ${row}`, density: row / 7, flag: row % 2 === 0, ...rare }
  })
}

describe('the chunks of a segment', () => {
  it('give every column back, byte by byte', () => {
    fc.assert(
      fc.property(fc.array(documents, { maxLength: 20 }), (given) => {
        const columns = [...gathered(given).finish()]
        const segment = encodeSegment(columns)
        for (const [path, parts] of columns) expect(bytesOf(segment, path)).toEqual(encodeColumn(parts))
      }),
      { numRuns: 300 },
    )
  })

  it('give large columns a chunk of their own, and small ones one together', () => {
    const columns = [...gathered(mixedDocuments()).finish()]
    const segment = encodeSegment(columns)
    expect(segment.catalog.columns.map(([path]) => path)).toEqual(['', 'density', 'name'])
    expect(segment.catalog.bundles.length).toBeGreaterThan(1)
    expect(segment.chunks).toHaveLength(3 + segment.catalog.bundles.length)
    for (const [path, parts] of columns) expect(bytesOf(segment, path)).toEqual(encodeColumn(parts))
  })

  it('have nothing for a path that no row has', () => {
    const segment = encodeSegment(gathered(mixedDocuments()).finish())
    for (const path of ['!', 'nam', 'name.x', 'rare1000', 'zz']) expect(bytesOf(segment, path)).toBeNull()
    expect(locate({ columns: [], bundles: [] }, 'name')).toBeNull()
  })

  it.each([
    [0, 255],
    [0, 256],
    [0, 65_535],
    [0, 65_536],
    [-1, 100_000],
    [-(2 ** 31), 2 ** 31 - 1],
    [0, 2 ** 31],
    [-(2 ** 31) - 1, 0],
    [0.5, 1],
  ])('keep the numbers %d and %d as they are', (least, most) => {
    const columns = new Map(gathered([{ a: least }, { a: most }]).finish())
    const column = new Column(encodeColumn(columns.get('a') as ColumnParts))
    expect([column.dictionary.valueAt(0), column.dictionary.valueAt(1)]).toEqual([least, most])
  })

  it('are read wherever a multiple of eight bytes puts them', () => {
    const [[, parts] = []] = [...gathered([{ a: 'x' }, { a: 2 }, { a: [null, true] }]).finish()].filter(
      ([path]) => path === 'a',
    )
    if (parts === undefined) throw new Error('no column')
    const bytes = encodeColumn(parts)
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 16))
    shared.set(bytes, 8)
    const column = new Column(shared.subarray(8, 8 + bytes.length))
    expect(Array.from({ length: column.dictionary.size }, (_, ordinal) => column.dictionary.valueAt(ordinal))).toEqual([
      null,
      2,
      'x',
      true,
    ])
  })
})

describe('a segment', () => {
  it('refuses more rows than a row number counts', () => {
    const gatherer = new ColumnGatherer()
    for (let row = 0; row < 65_536; row++) gatherer.add({})
    expect(() => gatherer.add({})).toThrow(/65536 records/)
  })

  it('has so many columns and no more, however many names a record has, and one for the rest', () => {
    const gatherer = new ColumnGatherer()
    const named = (count: number, by: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${by}${at}`, at]))
    gatherer.add({ usual: 1 })
    gatherer.add({ usual: 2, ...named(5000, 'a') })
    gatherer.add({ usual: 3, late: 1 })
    const columns = new Map([...gatherer.finish()].map(([path, parts]) => [path, new Column(encodeColumn(parts))]))
    expect(columns.size).toBe(1003 + 1)
    const rowsIn = (path: string) => [0, 1, 2].filter((row) => columns.get(path)?.isPresent(row))
    expect([rowsIn('usual'), rowsIn('a999'), rowsIn(REST_PATH)]).toEqual([[0, 1, 2], [1], [1]])
    // It may have what came to be a column behind it.
    expect([rowsIn('late'), columns.get('late')?.isOdd(1), columns.get('late')?.isOdd(2)]).toEqual([
      [1, 2],
      true,
      false,
    ])
    for (let record = 0; record < 30; record++) gatherer.add(named(900, `r${record}-`))
    expect([...gatherer.finish()].length).toBe(COLUMN_BOUNDS.most + 2)
  })
})

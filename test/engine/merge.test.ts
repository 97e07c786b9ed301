import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Column } from '../../src/engine/column.ts'
import { encodeColumn } from '../../src/engine/column-parts.ts'
import { ColumnGatherer } from '../../src/engine/gather-columns.ts'
import { mergeColumns } from '../../src/engine/merge-columns.ts'
import { MergeRoom } from '../../src/engine/number-row.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { documents } from '../support/arbitraries.ts'

function columnsOf(given: readonly JsonObject[]): Map<string, Column> {
  const gatherer = new ColumnGatherer()
  for (const document of given) gatherer.add(document)
  return new Map([...gatherer.finish()].map(([path, parts]) => [path, new Column(encodeColumn(parts))]))
}

/** All that a column says, row by row. */
function contentOf(column: Column, rows: number) {
  return Array.from({ length: rows }, (_, row) => {
    if (!column.isPresent(row)) return 'absent'
    const entries = []
    for (let entry = column.offsets[row] as number; entry < (column.offsets[row + 1] as number); entry++) {
      entries.push(column.dictionary.valueAt(column.ordinalAt(entry)))
    }
    // Of an odd row the entries are a set.
    if (column.isOdd(row)) return { odd: [...new Set(entries.map((entry) => JSON.stringify(entry)))].sort() }
    return column.isArray(row) ? { array: entries } : { plain: entries }
  })
}

const room = new MergeRoom()

/** A document, which of four segments it is in, and whether it is alive. */
type Entry = readonly [document: JsonObject, segment: number, lives: boolean]

function compare(given: readonly Entry[]): void {
  const parts = [0, 1, 2, 3].map((part) =>
    given.flatMap(([document, own, lives], n) => (own === part ? [{ document, lives, n }] : [])),
  )
  const segments = parts.map((part) => columnsOf(part.map(({ document }) => document)))
  const living = parts
    .flatMap((part, segment) => part.map((one, row) => ({ ...one, segment, row })))
    .filter(({ lives }) => lives)
    .sort((a, b) => a.n - b.n)
  const order = {
    segments: Uint8Array.from(living, ({ segment }) => segment),
    rows: Uint16Array.from(living, ({ row }) => row),
  }
  const right = columnsOf(living.map(({ document }) => document))
  for (const path of new Set(segments.flatMap((segment) => [...segment.keys()]))) {
    const columns = segments.map((segment) => segment.get(path) ?? null)
    const merged = new Column(encodeColumn(mergeColumns(columns, order, room)))
    const column = right.get(path)
    if (column === undefined) expect([merged.presentCount, merged.dictionary.size]).toEqual([0, 0])
    // Where arrays have several depths, which of them is the column's is up to the order of the segments.
    else if (merged.depth === column.depth) {
      const depths = new Set(columns.flatMap((own) => (own === null || own.arrayCount === 0 ? [] : [own.depth])))
      const [content, expected] = [contentOf(merged, living.length), contentOf(column, living.length)]
      // A row that was odd in its segment because of another depth there stays so: its document tells.
      const isComparable = (row: number): boolean => depths.size < 2 || !merged.isOdd(row)
      expect(content.filter((_, row) => isComparable(row))).toEqual(expected.filter((_, row) => isComparable(row)))
      if (merged.oddCount === 0) expect(merged.dictionary.size).toBe(column.dictionary.size)
    }
  }
}

describe('merged segments', () => {
  it('say what a segment of all their living rows would say', () => {
    const entries = fc.array(fc.tuple(documents, fc.nat(3), fc.constantFrom(true, true, false)), { maxLength: 30 })
    fc.assert(fc.property(entries, compare), { numRuns: 500 })
  })

  it('leave a row to its document that its own segment had to leave to it', () => {
    compare([
      [{ a: { b: [] } }, 1, true],
      [{ a: [{ b: '' }] }, 0, true],
      [{ a: { b: [] } }, 0, true],
    ])
  })

  it('say so of arrays of several depths on one way', () => {
    compare([
      [{ b: { a: [] } }, 0, true],
      [{ b: [{ a: 'a' }, {}] }, 1, true],
      [{ b: [{}, {}, { a: 1 }] }, 2, true],
    ])
  })

  it('have true and false beside arrays of several depths', () => {
    compare([
      [{ b: { a: [true, false] } }, 0, true],
      [{ b: [{ a: true }] }, 1, true],
    ])
  })
})

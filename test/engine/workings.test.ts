import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Column, packArrays, unpackArrays, type Working, type Workings } from '../../src/engine/column.ts'
import { encodeColumn } from '../../src/engine/column-parts.ts'
import { ColumnGatherer } from '../../src/engine/gather-columns.ts'
import { ranksOf } from '../../src/engine/ranks.ts'
import type { JsonObject } from '../../src/kernel/json.ts'

const ROWS = 9000

/** Keeps what is worked out, and counts what is looked for in vain. */
class KeptWorkings implements Workings {
  readonly kept = new Map<Working, Uint8Array>()
  missed = 0

  find(name: Working): Uint8Array | null {
    const bytes = this.kept.get(name) ?? null
    if (bytes === null) this.missed += 1
    return bytes
  }

  keep(name: Working, bytes: Uint8Array): void {
    this.kept.set(name, bytes)
  }
}

function chunkOf(documentAt: (row: number) => JsonObject): Uint8Array {
  const gatherer = new ColumnGatherer()
  for (let row = 0; row < ROWS; row++) gatherer.add(documentAt(row))
  const parts = new Map(gatherer.finish()).get('a')
  if (parts === undefined) throw new Error('there is no column')
  return encodeColumn(parts)
}

function everythingOf(column: Column, direction: 1 | -1): unknown {
  const source = { rows: column.rows, column: () => column, spend() {} }
  const { keys, unknown } = ranksOf(source, [{ path: { text: 'a', parts: ['a'] }, direction }])
  const groups = keys.map((key) => key.groups())
  return { offsets: column.offsets, postings: column.postings, ofRow: keys.map(({ ofRow }) => ofRow), groups, unknown }
}

describe('what is worked out from a column', () => {
  it.each([
    ['a value in each row', (row: number): JsonObject => ({ a: (row * 7) % 100 })],
    ['arrays, and nothing', (row: number): JsonObject => (row % 5 === 0 ? {} : { a: [row % 3, row % 11] })],
    ['objects, which documents order', (row: number): JsonObject => ({ a: row % 4 === 0 ? { b: row } : `t${row}` })],
  ])('is the same where another thread has found it: %s', (_, documentAt) => {
    const chunk = chunkOf(documentAt)
    for (const direction of [1, -1] as const) {
      const workings = new KeptWorkings()
      const right = everythingOf(new Column(chunk), direction)
      expect(everythingOf(new Column(chunk, { workings }), direction)).toEqual(right)
      expect(workings.kept.size).toBeGreaterThan(2)
      workings.missed = 0
      const spent: number[] = []
      const spend = (steps: number): void => void spent.push(steps)
      expect(everythingOf(new Column(chunk, { workings, spend }), direction)).toEqual(right)
      expect(workings.missed).toBe(0)
      expect(spent).toEqual([])
    }
  })

  it('is packed and unpacked as it is, wherever it lies', () => {
    const arrays = fc.array(
      fc.oneof(fc.uint16Array({ maxLength: 20 }), fc.uint32Array({ maxLength: 20 })) as fc.Arbitrary<
        Uint16Array | Uint32Array
      >,
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(arrays, fc.nat(3), (given, before) => {
        const packed = packArrays(given)
        const memory = new Uint8Array(new SharedArrayBuffer(8 * before + packed.length))
        memory.set(packed, 8 * before)
        expect(unpackArrays(memory.subarray(8 * before))).toEqual(given)
      }),
    )
  })
})

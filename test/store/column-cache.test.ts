import { describe, expect, it } from 'vitest'
import { LEAST_KEPT } from '../../src/engine/column.ts'
import { ColumnGatherer } from '../../src/engine/gather-columns.ts'
import { encodeSegment } from '../../src/engine/segment-chunks.ts'
import { noBits } from '../../src/engine/selection.ts'
import { type ChunkHandle, ColumnCache, ColumnNotLoaded, columnName } from '../../src/store/segments/column-cache.ts'
import type { SegmentContent } from '../../src/store/segments/segment-content.ts'
import { DEFAULT_MEMORY_MB, memoryOf, type ThreadMemory } from '../../src/store/threads/store-options.ts'

const ROWS = 400
const MIB = 2 ** 20

/** A segment with two large columns, small ones in a bundle, and a count of what is read of it. */
function segment() {
  const gatherer = new ColumnGatherer()
  for (let row = 0; row < ROWS; row++) gatherer.add({ name: `material ${row}`, density: row / 7, flag: row % 2 === 0 })
  const { catalog, chunks } = encodeSegment(gatherer.finish())
  const content: SegmentContent = {
    number: 1,
    numbers: Float64Array.from({ length: ROWS }, (_, n) => n),
    dead: noBits(ROWS),
    catalog,
  }
  const reads: number[] = []
  const read = (_: number, chunk: number): Uint8Array => {
    reads.push(chunk)
    return chunks[chunk] as Uint8Array
  }
  return { content, read, reads }
}

const NO_LIMIT = { spend() {} }

describe('the columns that a thread has at hand', () => {
  it('are read once, bundles too', () => {
    const { content, read, reads } = segment()
    const columns = new ColumnCache(MIB, read)
    columns.begin(NO_LIMIT)
    for (const path of ['density', 'flag', 'density', 'flag', 'none', 'none']) columns.column(content, path)
    expect(reads).toHaveLength(2)
    expect(columns.used).toEqual({ columns: 3, loaded: 2 })
    expect(columns.column(content, 'flag')?.rowsOfKind('true')?.[0]).toBe(0x55555555)
    expect(columns.column(content, 'none')).toBeNull()
  })

  it('weigh what they hold, and are let go of with their bytes', () => {
    const { content, read, reads } = segment()
    const columns = new ColumnCache(30_000, read)
    columns.begin(NO_LIMIT)
    columns.column(content, 'density')
    const bytes = columns.find(1, columnName('density')) as Uint8Array
    expect(bytes.length).toBeGreaterThan(ROWS * 8)
    expect(columns.bytes).toBeGreaterThan(bytes.length + LEAST_KEPT)
    columns.column(content, 'name')
    expect(columns.bytes).toBeLessThanOrEqual(30_000)
    expect(columns.find(1, columnName('density'))).toBeNull()
    columns.column(content, 'density')
    expect(reads).toHaveLength(3)
  })

  it('are those of a job for as long as it lasts, however little may be kept', () => {
    const { content, read, reads } = segment()
    const asking = new ColumnCache(MIB, read)
    asking.column(content, 'density')
    const bytes = asking.find(1, columnName('density')) as Uint8Array
    const handed: (readonly ChunkHandle[])[] = []
    const columns = new ColumnCache(0, read, { most: MIB, over: (chunks) => handed.push(chunks) })
    columns.lend([{ segment: 1, name: columnName('density'), bytes }])
    columns.begin(NO_LIMIT)
    expect(columns.column(content, 'density')?.presentCount).toBe(ROWS)
    expect(reads).toHaveLength(1)
    columns.release()
    expect(handed).toEqual([])
    expect([columns.lent.size, columns.find(1, columnName('density'))]).toEqual([0, null])
    columns.begin(NO_LIMIT)
    columns.column(content, 'density')
    columns.release()
    expect([reads.length, handed]).toEqual([2, []])
  })

  it('are handed over that were read for a job, however few are kept, and no more than the owner takes', () => {
    const { content, read } = segment()
    for (const [most, isForOwner, names] of [
      [MIB, true, ['density', 'name', 'flag']],
      [6000, true, ['density', 'flag']],
      [MIB, false, []],
    ] as const) {
      const owner = new ColumnCache(MIB, null)
      const columns = new ColumnCache(0, read, { most, over: owner.putAll })
      columns.lend([], isForOwner)
      columns.begin(NO_LIMIT)
      for (const path of ['density', 'name', 'flag']) columns.column(content, path)
      columns.release()
      const found = ['density', 'name', 'flag'].filter((path) => {
        try {
          return owner.column(content, path)?.presentCount === ROWS
        } catch (error) {
          if (error instanceof ColumnNotLoaded) return false
          throw error
        }
      })
      expect(found).toEqual(names)
      const bytes = owner.find(1, columnName('density'))
      if (bytes !== null) expect(bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  })

  it('are the owner’s before a job is done that reads many', () => {
    const { content, read } = segment()
    const owner = new ColumnCache(64 * MIB, null)
    const columns = new ColumnCache(MIB, read, { most: 64 * MIB, over: owner.putAll })
    columns.lend([])
    columns.begin(NO_LIMIT)
    for (let number = 1; number <= 2000; number++) columns.column({ ...content, number }, 'density')
    expect(owner.find(1, columnName('density'))).not.toBeNull()
    expect(owner.find(2000, columnName('density'))).toBeNull()
    columns.release()
    expect(owner.find(2000, columnName('density'))).not.toBeNull()
  })

  it('are not waited for by a thread that answers others', () => {
    const { content } = segment()
    const columns = new ColumnCache(MIB, null)
    columns.begin(NO_LIMIT)
    expect(() => columns.column(content, 'density')).toThrow(ColumnNotLoaded)
  })
})

describe('the memory of a store', () => {
  const sumOf = ({ columns, documents, views, selections }: ThreadMemory) => columns + documents + views + selections

  it.each([
    [undefined, undefined],
    [16, 1],
    [100, 2],
    [1000, 8],
  ])('holds for all threads together: %s MiB, %s readers', (memoryMb, readerThreads) => {
    const { ofRequests, ofReader } = memoryOf({
      ...(memoryMb && { memoryMb }),
      ...(readerThreads && { readerThreads }),
    })
    const threads = (readerThreads ?? 2) + 1
    const all = sumOf(ofRequests) + threads * sumOf(ofReader)
    expect(all).toBeLessThanOrEqual((memoryMb ?? DEFAULT_MEMORY_MB) * MIB)
    expect(all).toBeGreaterThan(0.98 * (memoryMb ?? DEFAULT_MEMORY_MB) * MIB)
  })
})

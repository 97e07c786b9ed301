import type { Column } from '../../src/engine/column.ts'
import { ColumnBuilder } from '../../src/engine/column-builder.ts'
import type { ColumnParts } from '../../src/engine/column-parts.ts'
import { SHAPE_PATH } from '../../src/engine/gather-columns.ts'
import { mergeColumns } from '../../src/engine/merge-columns.ts'
import { MergeRoom } from '../../src/engine/merge-room.ts'
import { type Catalog, encodeSegment } from '../../src/engine/segment-chunks.ts'
import { ColumnLoader, type ReadChunk } from '../../src/store/segments/segment-content.ts'

/** What an earlier version stored of a segment: a column of numbers where the shapes of its records are, and their texts beside the columns. */
export function withNumberedShapes(number: number, catalog: Catalog, read: ReadChunk) {
  const loader = new ColumnLoader(number, catalog, read)
  const texts = new Map<number, string>()
  const columns = [...new Set(loader.paths())].map((path) => {
    const column = loader.load(path) as Column
    return [path, path === SHAPE_PATH ? numbered(column, texts) : partsOf(column)] as const
  })
  const encoded = encodeSegment(columns)
  return { catalog: JSON.stringify(encoded.catalog), shapes: JSON.stringify([...texts]), chunks: encoded.chunks }
}

function partsOf(column: Column): ColumnParts {
  const rows = Uint16Array.from({ length: column.rows }, (_, row) => row)
  return mergeColumns([column], { segments: new Uint8Array(column.rows), rows }, new MergeRoom())
}

/** A column of numbers that stand for texts; they take six bytes, as hashes do. */
function numbered(shapes: Column, texts: Map<number, string>): ColumnParts {
  const builder = new ColumnBuilder()
  for (let row = 0; row < shapes.rows; row++) {
    const ordinal = shapes.ordinalAt(row)
    texts.set(2 ** 40 + ordinal, shapes.dictionary.textAt(ordinal))
    builder.addPlain(row, 2 ** 40 + ordinal)
  }
  return builder.finish(shapes.rows)
}

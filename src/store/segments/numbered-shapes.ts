import type { Column } from '../../engine/column.ts'
import { ColumnBuilder, KIND_VALUES } from '../../engine/column-builder.ts'
import { encodeColumn } from '../../engine/column-parts.ts'
import { SHAPE_PATH } from '../../engine/gather-columns.ts'
import { type Catalog, locate } from '../../engine/segment-chunks.ts'
import { ColumnLoader, type ReadChunk } from './segment-content.ts'

/** A segment of an earlier version of the program, whose column of shapes has numbers of texts that stood beside the columns. */
export interface NumberedShapes {
  readonly number: number
  readonly catalog: Catalog
  /** As it was stored. */
  readonly shapes: string
}

/** The column of shapes as it is now, and where it is put; null where the segment has none. */
export function columnOfShapes(
  { number, catalog, shapes }: NumberedShapes,
  read: ReadChunk,
): { readonly catalog: Catalog; readonly chunk: number; readonly bytes: Uint8Array } | null {
  const numbered = new ColumnLoader(number, catalog, read).load(SHAPE_PATH)
  if (numbered === null) return null
  const place = locate(catalog, SHAPE_PATH)
  const chunk = place?.isBundle === false ? place.chunk : 1 + lastChunk(catalog)
  const others = catalog.columns.filter(([path]) => path !== SHAPE_PATH)
  return {
    // It is the first of all paths. Small ones stood in a bundle, where what is left of them is never looked for.
    catalog: { ...catalog, columns: [[SHAPE_PATH, chunk, numbered.presentCount], ...others] },
    chunk,
    bytes: withTexts(numbered, new Map(JSON.parse(shapes) as [number, string][])),
  }
}

function lastChunk({ columns, bundles }: Catalog): number {
  return Math.max(-1, ...columns.map(([, chunk]) => chunk), ...bundles.map(([, chunk]) => chunk))
}

function withTexts(numbered: Column, texts: ReadonlyMap<number, string>): Uint8Array {
  const builder = new ColumnBuilder()
  for (let row = 0; row < numbered.rows; row++) {
    const shape = numbered.dictionary.valueAt(numbered.ordinalAt(numbered.offsets[row] as number))
    builder.addPlain(row, texts.get(shape as number) ?? KIND_VALUES.unknown)
  }
  return encodeColumn(builder.finish(numbered.rows))
}

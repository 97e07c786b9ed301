import type Database from 'better-sqlite3'
import { SHAPE_PATH, type Shape, shapeAt } from '../../src/engine/gather-columns.ts'
import { ColumnLoader } from '../../src/store/segments/segment-content.ts'
import { segmentReader } from '../../src/store/sqlite/segments/segment-rows.ts'

/** The orders of fields that the first segment of a file knows, as its column has them. */
export function shapesOf(connection: Database.Database): readonly (Shape | null)[] {
  const reader = segmentReader(connection)
  const number = connection.prepare<[], number>('SELECT min(number) FROM segment').pluck().get() as number
  const { catalog } = reader.read(number) ?? {}
  const column = catalog === undefined ? null : new ColumnLoader(number, catalog, reader.chunk).load(SHAPE_PATH)
  if (column === null) throw new Error('there is no column of shapes')
  return Array.from({ length: column.dictionary.size }, (_, ordinal) => shapeAt(column, ordinal))
}

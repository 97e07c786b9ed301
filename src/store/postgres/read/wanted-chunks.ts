import { SHAPE_PATH } from '../../../engine/gather-columns.ts'
import { columnsOfFilter, columnsOfSort, columnsOfSurvey } from '../../../engine/needed-columns.ts'
import { columnsOfFields, isOfColumns } from '../../../engine/project-columns.ts'
import { locate } from '../../../engine/segment-chunks.ts'
import { fieldSegments } from '../../../engine/survey-fields.ts'
import type { ColumnCache, ColumnNotLoaded } from '../../segments/column-cache.ts'
import type { SegmentContent } from '../../segments/segment-content.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import type { Asked } from './asked.ts'
import type { WantedChunk } from './chunks.ts'
import type { AskedShelves } from './shelves.ts'

/** The chunks of a shelf that have the columns of a question. */
export function neededChunks(asked: Asked, { views }: AskedShelves, place: number): readonly WantedChunk[] {
  const { filter, sort, fields, survey } = asked
  const surveyed = survey === undefined ? [] : columnsOfSurvey(survey)
  const shapes = fields !== null && isOfColumns(fields) ? [SHAPE_PATH] : []
  const paths = new Set([...columnsOfFilter(filter), ...columnsOfSort(sort), ...surveyed, ...shapes])
  const whole = survey?.kind === 'fields' ? new Set(fieldSegments(views.flatMap(({ segments }) => segments))) : null
  const { segments = [] } = views[place] ?? {}
  return segments.flatMap((segment) => {
    const { row } = segment
    return whole?.has(segment) === true ? allChunks(row) : chunksOfPaths(row, paths)
  })
}

/** By home, the chunks that have the columns of which fields are written; the shapes of records tell, and are at hand. */
export function fieldChunks(
  columns: ColumnCache,
  { fields }: Asked,
  { views }: AskedShelves,
): (readonly WantedChunk[])[] {
  if (fields === null || !isOfColumns(fields)) return []
  return views.map(({ segments }) =>
    segments.flatMap(({ row }) => {
      const shapes = columns.column(row, SHAPE_PATH)
      return shapes === null ? [] : chunksOfPaths(row, columnsOfFields(fields, shapes))
    }),
  )
}

function chunksOfPaths({ number, numbers, catalog }: SegmentContent, paths: Iterable<string>): readonly WantedChunk[] {
  const places = Array.from(paths, (path) => locate(catalog, path))
  return [...new Set(places.flatMap((found) => (found === null ? [] : [found.chunk])))].map((chunk) => ({
    segment: number,
    chunk,
    rows: numbers.length,
  }))
}

function allChunks({ number, numbers, catalog }: SegmentContent): readonly WantedChunk[] {
  const chunks = [...catalog.columns, ...catalog.bundles].map(([, chunk]) => chunk)
  return chunks.map((chunk) => ({ segment: number, chunk, rows: numbers.length }))
}

/** A chunk of one of some shelves, with its home. */
export function chunkOf({ homes, views }: AskedShelves, { segment, chunk }: ColumnNotLoaded): [string, [WantedChunk]] {
  const rowOf = ({ segments }: ShelfView) => segments.find(({ row }) => row.number === segment)?.row
  const place = views.findIndex((view) => rowOf(view) !== undefined)
  const rows = rowOf(views[place] as ShelfView)?.numbers.length ?? 0
  return [homes[place] as string, [{ segment, chunk, rows }]]
}

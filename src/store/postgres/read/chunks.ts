import { SHAPE_PATH } from '../../../engine/gather-columns.ts'
import { columnsOfFilter, columnsOfSort, columnsOfSurvey } from '../../../engine/needed-columns.ts'
import { columnsOfFields, isOfColumns } from '../../../engine/project-columns.ts'
import { type ChunkPlace, placesOf } from '../../../engine/segment-chunks.ts'
import { fieldSegments } from '../../../engine/survey-fields.ts'
import { type ColumnCache, type ColumnNotLoaded, chunkName, keyOf } from '../../segments/column-cache.ts'
import type { SegmentContent } from '../../segments/segment-content.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import { chunksOf } from '../base/segment-rows.ts'
import type { AskedShelves } from './shelves.ts'
import { Outdated, type QuestionTerms, type Within } from './within.ts'

/** A chunk that a question wants, with the rows of its segment. */
export interface WantedChunk {
  readonly segment: number
  readonly place: ChunkPlace
  readonly rows: number
}

/** A chunk comes as hexadecimal text: to make bytes of that takes about so many steps for each row. */
const STEPS_OF_A_ROW = 2

/** Reads chunks for questions, which hold them. */
export class Chunks {
  readonly #columns: ColumnCache

  constructor(columns: ColumnCache) {
    this.#columns = columns
  }

  /** Reads chunks of segments of a home that are not at hand, and lets a question hold them. */
  async load(home: string, wanted: readonly WantedChunk[], { source, held, patience, spend }: Within): Promise<void> {
    const missing = new Map<number, Map<number, string>>()
    for (const { segment, place, rows } of wanted) {
      const name = chunkName(place)
      const key = keyOf(segment, name)
      if (held.has(key)) continue
      const bytes = this.#columns.find(segment, name)
      if (bytes === null) {
        spend(STEPS_OF_A_ROW * rows)
        missing.set(segment, (missing.get(segment) ?? new Map()).set(place.chunk, name))
      } else held.set(key, bytes)
    }
    await Promise.all(
      Array.from(missing, async ([segment, names]) => {
        const chunks = [...names.keys()]
        const read = await source.read(async (sql) => {
          const statement = chunksOf(sql, home, segment, chunks)
          const rows = await (patience?.waitFor(statement) ?? statement)
          return rows.length < chunks.length ? null : new Map(rows.map(({ number, bytes }) => [number, bytes]))
        })
        if (read === null) throw new Outdated()
        for (const [chunk, name] of names) {
          held.set(keyOf(segment, name), this.#columns.share(segment, name, read.get(chunk) as Uint8Array))
        }
      }),
    )
  }
}

/** The chunks of a shelf that have the columns of a question. */
export function neededChunks(asked: QuestionTerms, { views }: AskedShelves, place: number): readonly WantedChunk[] {
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
  { fields }: QuestionTerms,
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
  return placesOf(catalog, paths).map((place) => ({ segment: number, place, rows: numbers.length }))
}

function allChunks({ number, numbers, catalog }: SegmentContent): readonly WantedChunk[] {
  const columns = catalog.columns.map(([path, chunk]) => ({ chunk, path, isBundle: false }))
  const bundles = catalog.bundles.map(([path, chunk]) => ({ chunk, path, isBundle: true }))
  return [...columns, ...bundles].map((place) => ({ segment: number, place, rows: numbers.length }))
}

/** A chunk of one of some shelves, with its home. */
export function chunkOf({ homes, views }: AskedShelves, { segment, place }: ColumnNotLoaded): [string, [WantedChunk]] {
  const rowOf = ({ segments }: ShelfView) => segments.find(({ row }) => row.number === segment)?.row
  const home = views.findIndex((view) => rowOf(view) !== undefined)
  const rows = rowOf(views[home] as ShelfView)?.numbers.length ?? 0
  return [homes[home] as string, [{ segment, place, rows }]]
}

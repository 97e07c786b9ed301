import { SHAPE_PATH } from '../../../engine/gather-columns.ts'
import { columnsOfFilter, columnsOfSort, columnsOfSurvey } from '../../../engine/needed-columns.ts'
import { columnsOfFields, isOfColumns } from '../../../engine/project-columns.ts'
import { placesOf } from '../../../engine/segment-chunks.ts'
import { fieldSegments } from '../../../engine/survey-fields.ts'
import { type ChunkSource, type ColumnCache, ColumnNotLoaded, type SharedChunks } from '../../segments/column-cache.ts'
import type { SegmentContent } from '../../segments/segment-content.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import { chunksOf } from '../base/segment-rows.ts'
import type { AskedShelves } from './shelves.ts'
import { type HeldChunks, Outdated, type QuestionTerms, type Within } from './within.ts'

export interface ChunkAddress {
  readonly segment: number
  readonly chunk: number
}

/** A chunk that a question wants, with the rows of its segment. */
export interface WantedChunk extends ChunkAddress {
  readonly rows: number
}

/** A chunk comes as hexadecimal text: to make bytes of that takes about so many steps for each row. */
const STEPS_OF_A_ROW = 2

/** The chunks that this process holds. The present question is the one that computes; each tells of itself before it goes on. */
export class Chunks implements ChunkSource {
  readonly #shared: SharedChunks
  #held: HeldChunks = new Map()

  constructor(shared: SharedChunks) {
    this.#shared = shared
  }

  /** Computes for a question from here on. */
  resume(held: HeldChunks): void {
    this.#held = held
  }

  find(segment: number, chunk: number): Uint8Array | null {
    return this.#held.get(nameOf({ segment, chunk })) ?? this.#shared.get(segment, chunk)
  }

  read(segment: number, chunk: number): Uint8Array {
    throw new ColumnNotLoaded(segment, chunk)
  }

  findWorked(segment: number, name: string): Uint8Array | null {
    return this.#shared.get(segment, name)
  }

  keepWorked(segment: number, name: string, bytes: Uint8Array): void {
    this.#shared.share(segment, name, bytes)
  }

  /** Reads chunks of segments of a home that are not at hand, and lets a question hold them. */
  async load(home: string, wanted: readonly WantedChunk[], { source, held, patience, spend }: Within): Promise<void> {
    const missing = new Map<number, number[]>()
    for (const { segment, chunk, rows } of wanted) {
      const bytes = this.#shared.get(segment, chunk)
      if (bytes !== null) held.set(nameOf({ segment, chunk }), bytes)
      if (bytes !== null || held.has(nameOf({ segment, chunk }))) continue
      spend(STEPS_OF_A_ROW * rows)
      missing.set(segment, [...(missing.get(segment) ?? []), chunk])
    }
    await Promise.all(
      Array.from(missing, async ([segment, chunks]) => {
        const read = await source.read(async (sql) => {
          const statement = chunksOf(sql, home, segment, chunks)
          const rows = await (patience?.waitFor(statement) ?? statement)
          return rows.length < new Set(chunks).size ? null : new Map(rows.map(({ number, bytes }) => [number, bytes]))
        })
        if (read === null) throw new Outdated()
        for (const [chunk, bytes] of read) {
          held.set(nameOf({ segment, chunk }), this.#shared.share(segment, chunk, bytes))
        }
      }),
    )
  }
}

function nameOf({ segment, chunk }: ChunkAddress): string {
  return `${segment}#${chunk}`
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
  return placesOf(catalog, paths).map((chunk) => ({
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

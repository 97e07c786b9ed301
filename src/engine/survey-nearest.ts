import { readVectorText } from '../kernel/bytes.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import type { NearestFound, NearestRecord, NearestSurvey } from '../query/ast/survey.ts'
import type { Column } from './column.ts'
import { columnAt, type SurveyQuestion, scalarsAt, unclearRows } from './count-records.ts'
import type { ColumnSource } from './evaluate-values.ts'
import { AHEAD, type EngineWork, type FoundRecord, type RowPlace, type SegmentView } from './page-documents.ts'
import { type Bits, countBits, eitherRows, hasBit, rowsOf } from './selection.ts'
import { type RecordTaker, takeRecords } from './value-rows.ts'

/** Cost of reading a vector, and of comparing one: most are told by their first numbers. */
const STEPS_OF_READING = 100
const STEPS_OF_COMPARING = 8
/** Share of a segment's vectors, one of so many, below which the others are not read. */
const FEW = 8
/** Stands in every place of what is no vector. */
const NONE = 0xffff

/** Finds the matching records whose vectors are nearest to one, by the greatest difference of any of the numbers: all are looked at. */
export function* surveyNearest(question: SurveyQuestion, survey: NearestSurvey): EngineWork<NearestFound> {
  const nearest = new NearestRecords(survey)
  const looked = yield* takeRecords(question, nearest)
  return { kind: 'nearest', found: yield* nearest.found(), ...looked }
}

interface Searched {
  readonly column: Column
  readonly rows: Bits
  readonly spend: (steps: number) => void
  readonly place: (row: number) => CandidatePlace
}

function searchRows(nearest: NearestRecords, { column, rows, spend, place }: Searched): void {
  const { dictionary, offsets } = column
  const [from, to] = dictionary.ordinalsOf('string')
  const own = new Uint16Array(nearest.length)
  const some = rowsOf(rows)
  spend(some.length * STEPS_OF_READING)
  for (const row of some) {
    const entry = offsets[row] as number
    if (entry === offsets[row + 1]) continue
    const ordinal = column.ordinalAt(entry)
    if (ordinal < from || ordinal >= to) continue
    if (readVectorText(dictionary.textBytes(ordinal - from), own, 0, nearest.length))
      nearest.add(own, 0, () => place(row))
  }
}

/** Compares all vectors of a segment, one after the other as they lie, and looks for the rows of those that are near. */
function searchVectors(nearest: NearestRecords, { column, rows, spend, place }: Searched): void {
  const { length } = nearest
  const [from, to] = column.dictionary.ordinalsOf('string')
  const [vectors] = column.worked('vectors', (to - from) * STEPS_OF_READING, () => [vectorsOf(column, length)])
  const { starts, rows: rowsOfValues } = column.postings
  spend((to - from) * STEPS_OF_COMPARING)
  for (let text = 0; text < to - from; text++) {
    if (!nearest.isNear(vectors as Uint16Array, text * length)) continue
    const end = starts[from + text + 1] as number
    for (let at = starts[from + text] as number; at < end; at++) {
      const row = rowsOfValues[at] as number
      if (hasBit(rows, row)) nearest.add(vectors as Uint16Array, text * length, () => place(row))
    }
  }
}

/** The numbers of all texts of a column, in their order. */
function vectorsOf({ dictionary }: Column, length: number): Uint16Array {
  const vectors = new Uint16Array(dictionary.texts * length)
  for (let text = 0; text < dictionary.texts; text++) {
    const at = text * length
    if (!readVectorText(dictionary.textBytes(text), vectors, at, length)) vectors.fill(NONE, at, at + length)
  }
  return vectors
}

/** A record that may be among the nearest: its document is at hand, or is read in the end. */
type CandidatePlace = { readonly n: number; readonly home: number } & (RowPlace | { readonly document: JsonObject })

/** The nearest records so far, the nearest first; of two that are as near, the older one. */
class NearestRecords implements RecordTaker {
  readonly paths: RecordTaker['paths']
  readonly length: number
  readonly #to: readonly number[]
  readonly #limit: number
  readonly #take: readonly string[]
  readonly #collect: ReturnType<typeof scalarsAt>
  readonly #own: Uint16Array
  readonly #kept: NearestCandidate[] = []
  /** Largest distance that is kept. */
  #farthest: number

  constructor({ path, to, limit, within, take }: NearestSurvey) {
    this.paths = [path]
    this.length = to.length
    this.#to = to
    this.#limit = limit
    this.#take = take
    this.#farthest = Math.min(within, NONE - 1)
    this.#collect = scalarsAt(path)
    this.#own = new Uint16Array(to.length)
  }

  isNear(vectors: Uint16Array, from: number): boolean {
    const [to, farthest] = [this.#to, this.#farthest]
    for (let at = 0; at < to.length; at++) {
      const off = (vectors[from + at] as number) - (to[at] as number)
      if (off > farthest || -off > farthest) return false
    }
    return true
  }

  /** A record with several values: its document tells which is the first. */
  unclearIn(source: ColumnSource, path: FieldPath): Bits | null {
    const column = columnAt(source, path)
    const unclear = unclearRows(source, path)
    return column === null || column.arrayCount === 0 ? unclear : eitherRows(unclear, column.arrayBits)
  }

  takeRows(
    rows: Bits,
    [column]: readonly (Column | null)[],
    segment: SegmentView,
    spend: (steps: number) => void,
  ): void {
    if (column === null || column === undefined) return
    const { numbers, home, source } = segment
    const place = (row: number): CandidatePlace => ({ n: numbers[row] as number, home, segment, row })
    const search = countBits(rows) * FEW < source.rows ? searchRows : searchVectors
    search(this, { column, rows, spend, place })
  }

  takeDocument(document: JsonObject, { n, home }: Pick<FoundRecord, 'home' | 'n'>): void {
    const [text] = this.#collect(document)
    if (typeof text !== 'string' || !readVectorText(Buffer.from(text), this.#own, 0, this.length)) return
    this.add(this.#own, 0, () => ({ n, home, document }))
  }

  /** Takes a record, if it is among the nearest. */
  add(vectors: Uint16Array, from: number, placeOf: () => CandidatePlace): void {
    if (!this.isNear(vectors, from) || vectors[from] === NONE) return
    let distance = 0
    for (let at = 0; at < this.length; at++) {
      distance = Math.max(distance, Math.abs((vectors[from + at] as number) - (this.#to[at] as number)))
    }
    const one = { distance, place: placeOf() }
    let at = this.#kept.length
    while (at > 0 && comesBefore(one, this.#kept[at - 1] as typeof one)) at -= 1
    if (at === this.#limit) return
    this.#kept.splice(at, 0, one)
    if (this.#kept.length > this.#limit) this.#kept.pop()
    if (this.#kept.length === this.#limit) this.#farthest = this.#kept.at(-1)?.distance ?? this.#farthest
  }

  /** Reads the documents that are not at hand. */
  *found(): EngineWork<NearestRecord[]> {
    const documents = new Map<CandidatePlace, JsonObject>()
    const rows: (CandidatePlace & RowPlace)[] = []
    for (const { place } of this.#kept) {
      if ('document' in place) documents.set(place, place.document)
      else rows.push(place)
    }
    for (let from = 0; from < rows.length; from += AHEAD) {
      const places = rows.slice(from, from + AHEAD)
      yield { places, take: (document, at) => documents.set(places[at] as CandidatePlace, document) }
    }
    return this.#kept.map(({ distance, place }) => {
      const document = documents.get(place) ?? {}
      const taken = this.#take.filter((field) => Object.hasOwn(document, field))
      return { distance, fields: Object.fromEntries(taken.map((field) => [field, document[field] ?? null])) }
    })
  }
}

interface NearestCandidate {
  readonly distance: number
  readonly place: CandidatePlace
}

function comesBefore(one: NearestCandidate, other: NearestCandidate): boolean {
  return (one.distance - other.distance || one.place.n - other.place.n || one.place.home - other.place.home) < 0
}

import type { JsonObject } from '../kernel/json.ts'
import type { FieldFound, FieldKind, FieldsFound } from '../query/ast/survey.ts'
import { matcherOf } from '../query/filter/match.ts'
import { NESTED_ARRAY } from '../query/paths.ts'
import type { Column } from './column.ts'
import { inTime, type SurveyQuestion, scalarsAt } from './count-records.ts'
import { addKindsIn, addPathsOf, kindsInColumn, unclearArrays } from './field-kinds.ts'
import { REST_PATH, SHAPE_PATH } from './gather-columns.ts'
import { countOrdinals, numberOrdinals } from './ordinal-counts.ts'
import { type EngineWork, readRows, type SegmentView } from './page-documents.ts'
import { type Bits, countBits, difference, eitherRows, intersection, isEmpty, rowsOf } from './selection.ts'

/** Rows of segments that are looked at: every column of them is read, which of more would take more memory than one question may. */
export const MOST_FIELD_ROWS = 65_536
const MOST_FIELDS = 2_000

/** The segments that are looked at: small ones first, so that what is new and one's own is among them; one at least. */
export function fieldSegments<Segment extends SegmentView>(segments: readonly Segment[]): readonly Segment[] {
  let rows = 0
  const ascending = [...segments].sort((one, other) => one.source.rows - other.source.rows)
  return ascending.filter(({ source }, at) => {
    rows += source.rows
    return at === 0 || rows <= MOST_FIELD_ROWS
  })
}

/** Tells which fields matching records have, of which types, and between which numbers. */
export function* surveyFields(question: SurveyQuestion): EngineWork<FieldsFound> {
  const { segments, tails } = question
  const fields = new FieldStatistics()
  for (const { records } of tails) {
    question.spend(records.length * DOCUMENT_STEPS)
    for (const { document } of records) fields.addDocument(document)
  }
  const looked = fieldSegments(segments)
  const isWhole = yield* inTime(question, looked, function* (segment, within) {
    fields.addAll(yield* fieldsOf(segment, within))
  })
  return fields.found(isWhole && looked.length === segments.length)
}

/** Arrays of arrays have no path that a query could name. */
function isTold(path: string): boolean {
  return path !== SHAPE_PATH && path !== REST_PATH && !path.split('.').includes(NESTED_ARRAY)
}

/** Documents that are read before it is looked whether they were enough. */
const UNCLEAR_TOGETHER = 32

/** A document has some hundred paths. */
const DOCUMENT_STEPS = 200

/** Gathers the fields of a segment: of rows that are certain by their columns, of others by their documents. */
function* fieldsOf(segment: SegmentView, question: SurveyQuestion): EngineWork<FieldStatistics> {
  const { source } = segment
  const { select, filter, spend, pathsIn } = question
  const { must: matching, may } = select(segment)
  const rest = source.column(REST_PATH)
  const must = rest === null ? matching : difference(matching, rest.presentBits)
  const fields = new FieldStatistics()
  const count = countBits(must)
  fields.records += count
  if (count > 0) {
    const unclear = new Map<string, Bits>()
    for (const path of pathsIn(segment)) {
      const column = isTold(path) ? source.column(path) : null
      if (column === null) continue
      spend(column.entryCount)
      const rows = fields.addColumn(path, column, must)
      if (rows !== null) unclear.set(path, rows)
    }
    yield* fields.addUnclear(segment, unclear, spend)
  }
  const matches = matcherOf(filter)
  yield* readRows(segment, rowsOf(difference(may, must)), spend, (document) => {
    if (matches(document)) fields.addDocument(document)
  })
  return fields
}

interface KnownField {
  readonly types: Set<FieldKind>
  count: number
  min: number
  max: number
}

class FieldStatistics {
  records = 0
  readonly #known = new Map<string, KnownField>()

  /** Gives the rows of which only documents tell whether one is an array, where no other is; else null. */
  addColumn(path: string, column: Column, rows: Bits): Bits | null {
    const present = intersection(column.presentBits, rows)
    if (isEmpty(present)) return null
    const { dictionary } = column
    const { counts } = countOrdinals(column, rows, numberOrdinals(dictionary))
    const known = this.#at(path)
    known.count += countBits(present)
    const parts = path.split('.').length
    const unclear = unclearArrays(column, rows)
    const isClear = unclear === null || kindsInColumn(column, parts, difference(rows, unclear)).has('array')
    for (const kind of kindsInColumn(column, parts, rows, counts))
      if (isClear || kind !== 'array') known.types.add(kind)
    const [from, to] = dictionary.ordinalsOf('number')
    const ofNumbers = counts.subarray(from, to)
    const first = ofNumbers.findIndex((many) => many > 0)
    if (first >= 0) {
      known.min = Math.min(known.min, dictionary.numbers[first] as number)
      known.max = Math.max(known.max, dictionary.numbers[ofNumbers.findLastIndex((many) => many > 0)] as number)
    }
    return isClear ? null : unclear
  }

  /** Reads documents until it is known of each path whether there is an array at it: of most, the first ones have one. */
  *addUnclear(segment: SegmentView, unclear: Map<string, Bits>, spend: (steps: number) => void): EngineWork<void> {
    const rows = [...unclear.values()].reduce<Bits | null>(eitherRows, null)
    if (rows === null) return
    const look = (document: JsonObject): void => {
      for (const path of unclear.keys()) {
        const kinds = new Set<FieldKind>()
        addKindsIn(document, path.split('.'), kinds)
        if (!kinds.has('array')) continue
        this.#at(path).types.add('array')
        unclear.delete(path)
      }
    }
    const all = rowsOf(rows)
    for (let at = 0; at < all.length && unclear.size > 0; at += UNCLEAR_TOGETHER) {
      yield* readRows(segment, all.subarray(at, at + UNCLEAR_TOGETHER), spend, look)
    }
  }

  addDocument(document: JsonObject): void {
    this.records += 1
    const paths = new Set<string>()
    addPathsOf(document, paths)
    for (const path of paths) {
      if (!isTold(path)) continue
      const known = this.#at(path)
      const parts = path.split('.')
      known.count += 1
      addKindsIn(document, parts, known.types)
      const numbers = scalarsAt({ text: path, parts })(document).filter((scalar) => typeof scalar === 'number')
      known.min = numbers.reduce((least, number) => Math.min(least, number), known.min)
      known.max = numbers.reduce((most, number) => Math.max(most, number), known.max)
    }
  }

  addAll(part: FieldStatistics): void {
    this.records += part.records
    for (const [path, { types, count, min, max }] of part.#known) {
      const known = this.#at(path)
      known.count += count
      for (const type of types) known.types.add(type)
      known.min = Math.min(known.min, min)
      known.max = Math.max(known.max, max)
    }
  }

  found(exact: boolean): FieldsFound {
    const fields = Array.from(this.#known, ([path, { types, count, min, max }]): FieldFound => {
      return { path, types: [...types].sort(), count, min: min <= max ? min : null, max: min <= max ? max : null }
    })
    fields.sort((one, other) => (one.path < other.path ? -1 : 1))
    const told = fields.slice(0, MOST_FIELDS)
    return { kind: 'fields', fields: told, records: this.records, exact: exact && told.length === fields.length }
  }

  #at(path: string): KnownField {
    let known = this.#known.get(path)
    if (known === undefined) {
      known = { types: new Set(), count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }
      this.#known.set(path, known)
    }
    return known
  }
}

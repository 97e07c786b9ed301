import type { JsonObject } from '../kernel/json.ts'
import type { FieldFound, FieldKind, FieldsFound } from '../query/ast/survey.ts'
import { matcherOf } from '../query/filter/match.ts'
import { type Bits, countBits, difference, intersection, isEmpty } from './bits.ts'
import type { Column } from './column.ts'
import { readRows } from './count-records.ts'
import { addKindsIn, addPathsOf, kindsAmong } from './field-kinds.ts'
import { NESTED_ARRAY, SHAPE_PATH } from './gather-columns.ts'
import { countOrdinals, numberOrdinals } from './ordinal-counts.ts'
import type { SegmentView, Working } from './page-documents.ts'
import { scalarsAt } from './path-values.ts'
import { type SurveyQuestion, spendWithin, wasEnded } from './survey-question.ts'

/** Rows of segments that are looked at: every column of them is read, which of more would take more memory than one question may. */
export const MOST_FIELD_ROWS = 65_536
/** Fields that are told of. */
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
export function* surveyFields(question: SurveyQuestion): Working<FieldsFound> {
  const { segments, tails, isOver } = question
  const fields = new Fields()
  const within = { ...question, spend: spendWithin(question) }
  for (const { records } of tails) {
    question.spend(records.length * DOCUMENT_STEPS)
    for (const { document } of records) fields.addDocument(document)
  }
  const looked = fieldSegments(segments)
  let isWhole = looked.length === segments.length
  for (const segment of looked) {
    try {
      if (!isOver()) {
        fields.addAll(yield* fieldsOf(segment, within))
        continue
      }
    } catch (error) {
      if (!wasEnded(error)) throw error
    }
    isWhole = false
    break
  }
  return fields.found(isWhole)
}

/** What lies in arrays of arrays has no path that a query could name. */
function isTold(path: string): boolean {
  return path !== SHAPE_PATH && !path.split('.').includes(NESTED_ARRAY)
}

/** A document has some hundred paths. */
const DOCUMENT_STEPS = 200

/** Gathers the fields of a segment: of rows that are certain by their columns, of others, and of those of which a column has not all values, by their documents. */
function* fieldsOf(segment: SegmentView, question: SurveyQuestion): Working<Fields> {
  const { source } = segment
  const { select, filter, spend, pathsIn } = question
  const { must, may } = select(segment)
  const fields = new Fields()
  const columns: (readonly [path: string, column: Column])[] = []
  let told = must
  for (const path of isEmpty(must) ? [] : pathsIn(segment)) {
    const column = isTold(path) ? source.column(path) : null
    if (column === null) continue
    columns.push([path, column])
    if (column.oddCount > 0) told = difference(told, column.oddBits)
  }
  fields.records += countBits(told)
  for (const [path, column] of columns) {
    spend(column.entryCount)
    fields.addColumn(path, column, told)
  }
  const matches = matcherOf(filter)
  yield* readRows(segment, difference(may, told), spend, (document) => {
    if (matches(document)) fields.addDocument(document)
  })
  return fields
}

interface Known {
  readonly types: Set<FieldKind>
  count: number
  min: number
  max: number
}

/** What has been found so far, by path. */
class Fields {
  records = 0
  readonly #known = new Map<string, Known>()

  addColumn(path: string, column: Column, rows: Bits): void {
    const present = intersection(column.presentBits, rows)
    if (isEmpty(present)) return
    const { dictionary } = column
    const { counts } = countOrdinals(column, rows, numberOrdinals(dictionary))
    const hasOne = (from: number, to: number): boolean => counts.subarray(from, to).some((count) => count > 0)
    const hasArray = (): boolean => !isEmpty(intersection(column.arrayBits, rows))
    const known = this.#at(path)
    known.count += countBits(present)
    for (const kind of kindsAmong(column, path.split('.').length, { hasOne, hasArray })) known.types.add(kind)
    const [from, to] = dictionary.ordinalsOf('number')
    const ofNumbers = counts.subarray(from, to)
    const first = ofNumbers.findIndex((many) => many > 0)
    if (first < 0) return
    known.min = Math.min(known.min, dictionary.numbers[first] as number)
    known.max = Math.max(known.max, dictionary.numbers[ofNumbers.findLastIndex((many) => many > 0)] as number)
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

  /** Adds what was found in a part of the records. */
  addAll(part: Fields): void {
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

  #at(path: string): Known {
    let known = this.#known.get(path)
    if (known === undefined) {
      known = { types: new Set(), count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }
      this.#known.set(path, known)
    }
    return known
  }
}

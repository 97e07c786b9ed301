import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import type { Scalar } from '../query/ast/survey.ts'
import { matcherOf } from '../query/filter/match.ts'
import { preparePathWalk } from '../query/paths.ts'
import type { Column } from './column.ts'
import type { Kind } from './column-parts.ts'
import { arraysBefore, type ColumnSource, hasColumn } from './evaluate-values.ts'
import { type EngineWork, type PageQuestion, readRows, type SegmentView } from './page-documents.ts'
import { doubtfulRows } from './ranks.ts'
import { type Bits, countBits, difference, eitherRows, isExact, rowsOf } from './selection.ts'

export type CountQuestion = Pick<PageQuestion, 'segments' | 'tails' | 'filter' | 'select' | 'spend'>

/** Counts the records of several homes that match: rows that are certain by their columns, all others by their documents. */
export function* countRecords(
  question: CountQuestion,
): EngineWork<{ readonly count: number; readonly byDocument: number }> {
  const { segments, tails, filter, select, spend } = question
  const matches = matcherOf(filter)
  let byDocument = 0
  let count = tails.reduce((sum, { records }) => sum + records.length, 0)
  for (const segment of segments) {
    const selection = select(segment)
    spend(segment.source.rows >>> 5)
    if (isExact(selection)) {
      count += selection.most
      continue
    }
    count += countBits(selection.must)
    byDocument += yield* readRows(segment, rowsOf(difference(selection.may, selection.must)), spend, (document) => {
      if (matches(document)) count += 1
    })
  }
  return { count, byDocument }
}

/** Records to look at, and for how long. */
export interface SurveyQuestion extends CountQuestion {
  /** Whether the time for it is up: what has been found by then is the answer. */
  readonly isOver: () => boolean
  /** The paths at which a segment may have something. */
  readonly pathsIn: (segment: SegmentView) => Iterable<string>
}

/** Ends the look at a part of the records: the time is up. */
class TimeIsUp extends Error {}

/** Between two looks at the clock. */
const STEPS_BETWEEN_LOOKS = 50_000

/** Tells of work before it is done, and ends it when the time is up: `wasEnded` knows such an end. */
export function spendWithin({ spend, isOver }: Pick<SurveyQuestion, 'spend' | 'isOver'>): (steps: number) => void {
  let left = STEPS_BETWEEN_LOOKS
  return (steps) => {
    spend(steps)
    left -= steps
    if (left > 0) return
    left = STEPS_BETWEEN_LOOKS
    if (isOver()) throw new TimeIsUp()
  }
}

export function wasEnded(error: unknown): boolean {
  return error instanceof TimeIsUp
}

/** Looks at one segment after the other until the time is up, within one too; tells whether all of them were looked at. */
export function* inTime<Segment extends SegmentView>(
  question: SurveyQuestion,
  segments: readonly Segment[],
  look: (segment: Segment, question: SurveyQuestion) => EngineWork<void>,
): EngineWork<boolean> {
  const within = { ...question, spend: spendWithin(question) }
  try {
    for (const segment of segments) {
      if (question.isOver()) return false
      yield* look(segment, within)
    }
    return true
  } catch (error) {
    if (wasEnded(error)) return false
    throw error
  }
}

/** The column of a path, as far as there can be one. */
export function columnAt(source: ColumnSource, { parts, text }: FieldPath): Column | null {
  return hasColumn(parts, text) ? source.column(text) : null
}

/** Kinds of values within which, or of which, there are scalars that a column does not have. */
const WITHOUT_SCALARS: readonly Kind[] = ['vector', 'unknown']

/** The rows of which only documents tell what they have at a path, because of values of some kinds too; null when there is none. */
export function unclearRows(
  source: ColumnSource,
  { parts, text }: FieldPath,
  kinds: readonly Kind[] = WITHOUT_SCALARS,
): Bits | null {
  if (!hasColumn(parts, text)) return new Uint32Array((source.rows + 31) >>> 5).fill(0xffffffff)
  const column = source.column(text)
  const own = column === null ? null : doubtfulRows(column, kinds)
  return eitherRows(own, arraysBefore(source, parts))
}

/** Collects the scalars that a path reaches, as the matcher does; each once. */
export function scalarsAt({ parts }: FieldPath): (document: JsonObject) => readonly Scalar[] {
  let found = new Set<Scalar>()
  const walk = preparePathWalk(parts, 'elements', (value) => {
    // -0 and 0 are one value.
    if (value !== undefined && isScalar(value)) found.add(value === 0 ? 0 : value)
    return false
  })
  return (document) => {
    found = new Set()
    walk(document)
    return [...found]
  }
}

function isScalar(value: Json): value is Scalar {
  return !isJsonArray(value) && !isJsonObject(value)
}

import type { JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import type { PointSurvey, PointsFound, Scalar } from '../query/ast/survey.ts'
import type { Column } from './column.ts'
import { type SurveyQuestion, scalarsAt, unclearRows } from './count-records.ts'
import type { EngineWork } from './page-documents.ts'
import { type Bits, rowsOf } from './selection.ts'
import { type RecordTaker, takeRecords } from './value-rows.ts'

/** Gives two numbers of each matching record, and what it is coloured by; of more than may be given, every so manieth. */
export function* surveyPoints(question: SurveyQuestion, survey: PointSurvey): EngineWork<PointsFound> {
  const points = new Points(survey, stepOf(question, survey.limit))
  const { records, exact } = yield* takeRecords(question, points)
  return points.found(records, exact)
}

/** Every how manieth record is taken. What only documents tell of may match. */
function stepOf({ segments, tails, select }: SurveyQuestion, limit: number): number {
  const inTails = tails.reduce((sum, { records }) => sum + records.length, 0)
  const most = segments.reduce((sum, segment) => sum + select(segment).most, inTails)
  return Math.max(1, Math.ceil(most / limit))
}

class Points implements RecordTaker {
  readonly paths: readonly FieldPath[]
  readonly unclearIn = unclearRows
  readonly #collect: readonly ((document: JsonObject) => readonly Scalar[])[]
  readonly #step: number
  readonly #x: number[] = []
  readonly #y: number[] = []
  readonly #color: Scalar[] | null
  #met = 0

  constructor({ x, y, color }: PointSurvey, step: number) {
    this.paths = color === null ? [x, y] : [x, y, color]
    this.#collect = this.paths.map(scalarsAt)
    this.#step = step
    this.#color = color === null ? null : []
  }

  takeRows(rows: Bits, [x, y, color]: readonly (Column | null)[]): void {
    for (const row of rowsOf(rows)) {
      if (this.#isNext()) this.#add(numberIn(x, row), numberIn(y, row), scalarIn(color, row))
    }
  }

  takeDocument(document: JsonObject): void {
    if (!this.#isNext()) return
    const [x, y, color = []] = this.#collect.map((of) => of(document))
    this.#add(x?.find(isNumber), y?.find(isNumber), color[0] ?? null)
  }

  found(records: number, isWhole: boolean): PointsFound {
    const exact = isWhole && this.#step === 1
    return { kind: 'points', x: this.#x, y: this.#y, color: this.#color, records, exact }
  }

  /** Tells of one more record whether it is taken. */
  #isNext(): boolean {
    this.#met += 1
    return (this.#met - 1) % this.#step === 0
  }

  #add(x: number | undefined, y: number | undefined, color: Scalar): void {
    if (x === undefined || y === undefined) return
    this.#x.push(x)
    this.#y.push(y)
    this.#color?.push(color)
  }
}

function isNumber(scalar: Scalar): scalar is number {
  return typeof scalar === 'number'
}

/** The first number that a row has. */
function numberIn(column: Column | null | undefined, row: number): number | undefined {
  if (column === null || column === undefined) return undefined
  const { offsets, dictionary } = column
  const [from, to] = dictionary.ordinalsOf('number')
  const end = offsets[row + 1] as number
  for (let entry = offsets[row] as number; entry < end; entry++) {
    const ordinal = column.ordinalAt(entry)
    if (ordinal >= from && ordinal < to) return dictionary.numbers[ordinal - from] as number
  }
  return undefined
}

/** The first scalar that a row has. */
function scalarIn(column: Column | null | undefined, row: number): Scalar {
  if (column === null || column === undefined) return null
  const { offsets } = column
  const end = offsets[row + 1] as number
  for (let entry = offsets[row] as number; entry < end; entry++) {
    const value = column.dictionary.valueAt(column.ordinalAt(entry))
    if (typeof value !== 'object') return value
  }
  return null
}

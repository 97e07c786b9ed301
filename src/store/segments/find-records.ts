import { MOST_ROWS } from '../../engine/column-parts.ts'
import { countRecords } from '../../engine/count-records.ts'
import { chargingExpressions } from '../../engine/evaluate-expression.ts'
import { evaluateFilter } from '../../engine/evaluate-filter.ts'
import { findPage } from '../../engine/find-page.ts'
import { asksExpressions, asksPatterns } from '../../engine/needed-columns.ts'
import type {
  EngineWork,
  FoundPage,
  PagePosition,
  PageQuestion,
  SegmentView,
  TailRecord,
} from '../../engine/page-documents.ts'
import { type Bits, both, exactly, isExact, noBits, type Selection } from '../../engine/selection.ts'
import { surveyRecords } from '../../engine/survey-records.ts'
import { TailMatches } from '../../engine/tail-matches.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { Budget } from '../../kernel/clock.ts'
import { parseDocument } from '../../kernel/json.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import { filterText } from '../../query/ast/filter-text.ts'
import type { SortKey } from '../../query/ast/list-request.ts'
import type { Survey, SurveyFound } from '../../query/ast/survey.ts'
import { upgradingError } from '../errors.ts'
import type { ColumnCache } from './column-cache.ts'
import type { Effort } from './effort.ts'
import { pathsIn } from './field-knowledge.ts'
import type { SegmentContent } from './segment-content.ts'
import type { LoadedSegment, ShelfView } from './shelf-view.ts'
import { stepsOf } from './tail-document.ts'

/** The texts of records by their numbers, as the bytes that are sent. */
export interface DocumentTexts {
  /** Gives them one after the other, in the order of the numbers. */
  of(numbers: readonly number[], effort: Effort): Iterator<Buffer, void> & Iterable<Buffer>
  /** Total of their bytes. */
  lengthOf(numbers: readonly number[]): number
}

/** The shelves that are asked, in the order of their homes. */
export type ShelfList = readonly ShelfView[]

export interface ListQuestion {
  readonly filter: FilterNode
  readonly sort: readonly SortKey[]
  readonly skip: number
  readonly limit: number
  readonly after: PagePosition | null
}

/** Finds a page; the documents that are needed to tell are read as they are needed. */
export function findRecords(shelves: ShelfList, question: ListQuestion, tools: Tools): FoundPage {
  return drive(findPage({ ...questionOf(shelves, question.filter, tools), ...question }), {
    ...tools,
    filter: question.filter,
  })
}

export function countMatches(shelves: ShelfList, filter: FilterNode, tools: Tools) {
  return drive(countRecords(questionOf(shelves, filter, tools)), { ...tools, filter })
}

export interface Tools {
  readonly texts: DocumentTexts
  /** Records that no segment and no tail holds. */
  readonly extra: readonly TailRecord[]
  readonly selections: SelectionCache
  readonly effort: Effort
}

/** So many bytes of documents in memory are held against a filter in a step; fewer where a pattern looks at each. */
const BYTES_OF_A_TEST = 32
const BYTES_OF_A_PATTERN = 4
/** A pattern can take thirty steps for each byte of a text; of short ones, that is nothing beside their being read. */
const STEPS_OF_A_PATTERN = 30
const LONG_TEXT = 16 * 1024

type ShelvesQuestion = Pick<PageQuestion, 'segments' | 'tails' | 'homes' | 'filter' | 'select' | 'spend'>

export function questionOf(
  shelves: ShelfList,
  filter: FilterNode,
  { selections, effort, extra }: Tools,
): ShelvesQuestion {
  const bytesOfStep = asksPatterns(filter) ? BYTES_OF_A_PATTERN : BYTES_OF_A_TEST
  const segments: LoadedSegment[] = []
  const tails: TailMatches[] = []
  for (const shelf of shelves) {
    segments.push(...shelf.segments)
    if (shelf.tail.length === 0) continue
    const inTail = () => shelf.questions.of(shelf.tail, filter, (record) => effort.spend(stepsOf(record, bytesOfStep)))
    tails.push(asksExpressions(filter) ? chargingExpressions(effort, inTail) : inTail())
  }
  if (extra.length > 0) tails.push(new TailMatches(extra, filter, { before: null, spend: () => effort.spend(1) }))
  return {
    segments,
    tails,
    homes: shelves.length,
    filter,
    spend: (steps) => effort.spend(steps),
    select(view: SegmentView) {
      const segment = view as LoadedSegment
      return selections.living(segment, filter, () => evaluateFilter(segment.source, filter))
    },
  }
}

interface Driven extends Pick<Tools, 'texts' | 'effort'> {
  readonly filter: FilterNode
}

/** Gives the engine the documents that it asks for. */
export function drive<Result>(work: EngineWork<Result>, { texts, effort, filter }: Driven): Result {
  const stepsOfLong = asksPatterns(filter) ? STEPS_OF_A_PATTERN : 1
  const charges = asksExpressions(filter)
  let step = work.next()
  while (!step.done) {
    const { places, take } = step.value
    const numbers = places.map(({ segment, row }) => segment.numbers[row] as number)
    let at = 0
    for (const text of texts.of(numbers, effort)) {
      // To parse a byte takes about as long as a step.
      effort.spend(text.length > LONG_TEXT ? text.length * stepsOfLong : text.length)
      const document = parseDocument(text.toString())
      const place = at
      if (charges) chargingExpressions(effort, () => take(document, place))
      else take(document, place)
      at += 1
    }
    step = work.next()
  }
  return step.value
}

/** Memory of an entry beside its sets of rows. */
const ENTRY_BYTES = 256

/** Rows of a segment that match a filter by its columns, and those of them that are alive. */
interface SegmentMatches {
  readonly selection: Selection
  live: Bits | null
  living: Selection
}

/** Keeps what columns say of filters, within so many bytes. Segments never change, only which rows live. */
export class SelectionCache {
  readonly #kept: BoundedCache<SegmentMatches>

  constructor(bytes: number) {
    this.#kept = new BoundedCache({ most: bytes })
  }

  /** The rows of a segment that match and are alive. */
  living({ row, live, isWhole }: LoadedSegment, filter: FilterNode, evaluate: () => Selection): Selection {
    const kept = this.#find(row, filter, evaluate)
    if (isWhole || kept.selection.most === 0) return kept.selection
    if (kept.live !== live) {
      kept.living = both(kept.selection, exactly(live))
      kept.live = live
    }
    return kept.living
  }

  #find({ number, numbers }: SegmentContent, filter: FilterNode, evaluate: () => Selection): SegmentMatches {
    const key = `${number} ${filterText(filter)}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const evaluated = evaluate()
    const isNone = evaluated.most === 0
    const selection = isNone ? noneOf(numbers.length) : evaluated
    const kept = { selection, live: null, living: selection }
    // As much again for what is alive of it.
    const sets = isNone ? 0 : isExact(selection) ? 2 : 4
    this.#kept.set(key, kept, ENTRY_BYTES + key.length * 2 + sets * selection.may.byteLength)
    return kept
  }
}

/** Most questions for one record find nothing in most segments: all of these hold the same zeros. */
const NO_ROWS = noBits(MOST_ROWS)

function noneOf(rows: number): Selection {
  return exactly(NO_ROWS.subarray(0, (rows + 31) >>> 5))
}

/** Whether a survey reads more columns than the request thread should wait for. */
export function isAlwaysLong({ kind }: Survey): boolean {
  return kind === 'fields'
}

interface SurveyTerms {
  readonly shelves: ShelfList
  readonly columns: ColumnCache
  readonly asked: ReturnType<typeof questionOf>
}

/** Looks at all records that match, until the budget of the survey is used up, where it has one. What no segment holds yet would be missing: then it is refused. */
export function surveyShelves(survey: Survey, { shelves, columns, asked }: SurveyTerms): EngineWork<SurveyFound> {
  if (shelves.some(({ backlog }) => backlog !== null))
    throw upgradingError('facets, fields, points and distinct values')
  const budget = 'budgetMs' in survey ? new Budget(survey.budgetMs) : null
  return surveyRecords(
    {
      ...asked,
      isOver: () => (budget?.end ?? null) !== null,
      pathsIn: (segment) => pathsIn(columns, segment as LoadedSegment),
    },
    survey,
  )
}

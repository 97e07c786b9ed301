import { asksPatterns } from '../../../engine/asks-patterns.ts'
import { countRecords } from '../../../engine/count-records.ts'
import { evaluateFilter } from '../../../engine/evaluate-filter.ts'
import {
  type FoundPage,
  findPage,
  type PagePosition,
  type PageQuestion,
  type SegmentView,
  type TailRecord,
  type Working,
} from '../../../engine/find-page.ts'
import { TailMatches } from '../../../engine/tail-matches.ts'
import type { FilterNode } from '../../../query/ast/filter.ts'
import type { SortKey } from '../../../query/ast/list-request.ts'
import type { Effort } from '../read/effort.ts'
import { parseDocument } from '../read/parse-document.ts'
import type { DocumentTexts } from './document-texts.ts'
import type { SelectionCache } from './selection-cache.ts'
import type { LoadedSegment, ShelfView } from './shelf-views.ts'

/** The shelves that are asked, in the order of their homes. */
export type Shelves = readonly ShelfView[]

/** What is asked of them. */
export interface Question {
  readonly filter: FilterNode
  readonly sort: readonly SortKey[]
  readonly skip: number
  readonly limit: number
  readonly after: PagePosition | null
}

/** Finds a page; the documents that are needed to tell are read as they are needed. */
export function findRecords(shelves: Shelves, question: Question, tools: Tools): FoundPage {
  return drive(findPage({ ...questionOf(shelves, question.filter, tools), ...question }), {
    ...tools,
    filter: question.filter,
  })
}

/** Counts all that match. */
export function countMatches(shelves: Shelves, filter: FilterNode, tools: Tools) {
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

type Asked = Pick<PageQuestion, 'segments' | 'tails' | 'homes' | 'filter' | 'select' | 'spend'>

export function questionOf(shelves: Shelves, filter: FilterNode, { selections, effort, extra }: Tools): Asked {
  const bytesOfStep = asksPatterns(filter) ? BYTES_OF_A_PATTERN : BYTES_OF_A_TEST
  const segments: LoadedSegment[] = []
  const tails: TailMatches[] = []
  for (const shelf of shelves) {
    segments.push(...shelf.segments)
    if (shelf.tail.length === 0) continue
    tails.push(selections.inTail(shelf, filter, ({ bytes }) => effort.spend(1 + bytes.length / bytesOfStep)))
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
export function drive<Result>(work: Working<Result>, { texts, effort, filter }: Driven): Result {
  const stepsOfLong = asksPatterns(filter) ? STEPS_OF_A_PATTERN : 1
  let step = work.next()
  while (!step.done) {
    const { places, take } = step.value
    const numbers = places.map(({ segment, row }) => segment.numbers[row] as number)
    let at = 0
    for (const text of texts.of(numbers, effort)) {
      // To parse a byte takes about as long as a step.
      effort.spend(text.length > LONG_TEXT ? text.length * stepsOfLong : text.length)
      take(parseDocument(text.toString()), at)
      at += 1
    }
    step = work.next()
  }
  return step.value
}

import fc from 'fast-check'
import { evaluateFilter } from '../../../src/engine/evaluate-filter.ts'
import type { EngineWork, SegmentView, TailRecord } from '../../../src/engine/page-documents.ts'
import { both, exactly, noBits, setBit } from '../../../src/engine/selection.ts'
import { TailMatches } from '../../../src/engine/tail-matches.ts'
import { AppError } from '../../../src/kernel/errors.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import type { FilterNode } from '../../../src/query/ast/filter.ts'
import { documents } from '../../support/arbitraries.ts'
import { columnsOf, FEW_COLUMNS } from './columns.ts'

/** Where a record is kept: in which home, in which of its segments (or the tail), and whether a newer version replaces it there. */
export const entries = fc.record({
  document: documents,
  home: fc.constantFrom(0, 1),
  place: fc.constantFrom('tail', 0, 1, 2),
  isReplaced: fc.constantFrom(false, false, false, true),
})
export type Entry = typeof entries extends fc.Arbitrary<infer T> ? T : never

export interface World {
  readonly segments: readonly { readonly view: SegmentView; readonly documents: readonly JsonObject[] }[]
  readonly tail: readonly TailRecord[]
  /** What there is to find, in natural order. */
  readonly records: readonly { readonly home: number; readonly n: number; readonly document: JsonObject }[]
}

export function worldOf(given: readonly Entry[], paths: ReadonlySet<string>): World {
  const numbered = given.map((entry, at) => ({ ...entry, n: 3 * at + 1 }))
  const segments = [0, 1].flatMap((home) =>
    [0, 1, 2].flatMap((place) => {
      const own = numbered.filter((one) => one.home === home && one.place === place)
      if (own.length === 0) return []
      const live = noBits(own.length)
      for (const [row, one] of own.entries()) if (!one.isReplaced) setBit(live, row)
      const source = columnsOf(
        own.map(({ document }) => document),
        paths,
        place === 2 ? FEW_COLUMNS : undefined,
      )
      const view = { home, source, live, numbers: Float64Array.from(own, ({ n }) => n) }
      return [{ view, documents: own.map(({ document }) => document) }]
    }),
  )
  // What was replaced or is nowhere else is in the tail; a removal leaves nothing there.
  const tail = numbered
    .filter((one) => one.place === 'tail')
    .map(({ home, n, document }) => ({ home, n, arrival: n, document }))
  const records = numbered.filter((one) => one.place === 'tail' || !one.isReplaced)
  return { segments, tail, records }
}

/** Does the work, giving it the documents that it asks for. */
export function drive<Result>(world: World, work: EngineWork<Result>): Result {
  let step = work.next()
  while (!step.done) {
    const { places, take } = step.value
    for (const [at, { segment, row }] of places.entries()) {
      const found = world.segments.find(({ view }) => view === segment)
      take(found?.documents[row] as JsonObject, at)
    }
    step = work.next()
  }
  return step.value
}

/** What a question is asked of: all segments and tails of a world, with their live rows. */
export function sourcesOf(world: World, filter: FilterNode) {
  return {
    segments: world.segments.map(({ view }) => view),
    tails: [0, 1].map(
      (home) =>
        new TailMatches(
          world.tail.filter((one) => one.home === home),
          filter,
          { before: null, spend() {} },
        ),
    ),
    filter,
    select: ({ source, live }: SegmentView) => both(evaluateFilter(source, filter), exactly(live)),
    spend() {},
  }
}

/** What comes of the work, or the refusal of a question that has no answer. */
export function unlessRefused<T>(work: () => T): T | AppError {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

import type { DistinctFound, DistinctSurvey } from '../../src/query/ast/survey.ts'
import type { QueryPlan, RequesterScope } from '../../src/query/plan.ts'
import type { FieldKnowledge } from '../../src/query/warnings/field-knowledge.ts'
import type { Change, Page } from '../../src/store/port/record-store.ts'

/** Now, or later: a store may be in this thread or behind another. */
export type Soon<T> = T | Promise<T>

/** One way in which a store can come to an answer; null where this way comes to none. */
export interface Way {
  readonly name: string
  find(plan: QueryPlan): Soon<Page | null>
  count(plan: QueryPlan): Soon<number | null>
  distinct(plan: QueryPlan, survey: DistinctSurvey): Soon<DistinctFound | null>
  /** Finds something out from fields of visible records; null where this way knows nothing. */
  ask<Found>(collection: string, scope: RequesterScope, find: (known: FieldKnowledge) => Found): Soon<Found | null>
}

/** A store that is asked random questions, in every way that it has to answer them. */
export interface StoreUnderTest {
  readonly ways: readonly Way[]
  applyEach(changes: readonly Change[]): Soon<void>
  /** Does what the store does by itself in the course of time. */
  rest(): Soon<void>
  /** What is not as it should be in what the store holds. */
  check(): Soon<readonly string[]>
  close(): Soon<void>
}

import type { QueryPlan } from '../../query/plan/query-plan.ts'
import type { Scope } from '../../query/plan/scope.ts'

/** One page of a list, ready to be sent. */
export interface Page {
  /** The documents as the bytes of a JSON array: `[{…},{…}]`. */
  readonly documents: Buffer
  /** How many documents the array holds. */
  readonly count: number
  readonly report: RunReport
}

/** How a plan was run, for `explain` and `Server-Timing`. */
export interface RunReport {
  /** The name of the chosen plan: `filter-first`, `sort-first`, `scan`; `nothing` when no record can match. */
  readonly plan: string
  /** Documents that were parsed and checked again by the matcher. */
  readonly rechecked: number
  readonly milliseconds: number
}

/** A record as it is stored: its text is the very text that is served. */
export interface StoredRecord {
  readonly id: string
  readonly accountId: string
  readonly isPublic: boolean
  /** Counts the writes to this record, from 1. */
  readonly version: number
  readonly text: string
}

/** One change of one record. `expectedVersion` makes a read, change, write cycle safe without locks. */
export type Change =
  | {
      readonly action: 'insert'
      readonly collection: string
      readonly id: string
      readonly accountId: string
      readonly isPublic: boolean
      readonly text: string
    }
  | {
      readonly action: 'replace'
      readonly collection: string
      readonly id: string
      readonly expectedVersion: number
      readonly isPublic: boolean
      readonly text: string
    }
  | {
      readonly action: 'remove'
      readonly collection: string
      readonly id: string
      readonly expectedVersion: number
    }

/** `exists`: an insert's id is taken. `missing`: no such record. `changed`: another write came first. */
export type ChangeResult =
  | { readonly outcome: 'done'; readonly version: number }
  | { readonly outcome: 'exists' | 'missing' | 'changed' }

/** Where records live. Every implementation runs the same contract suite (`test/contract`). */
export interface RecordStore {
  /** Runs a list plan. Refuses with `STORE_ERRORS.timeBudget` when the plan takes longer than allowed. */
  find(plan: QueryPlan): Promise<Page>
  /** Counts what a plan matches; its skip and limit do not matter. */
  count(plan: QueryPlan): Promise<number>
  /** Yields all that a plan matches as chunks of NDJSON lines, in constant memory; the plan's limit does not matter. */
  stream(plan: QueryPlan): AsyncIterable<Buffer>
  /** Reads one record that the scope can see; null when there is none, without telling why. */
  read(collection: string, scope: Scope, id: string): Promise<StoredRecord | null>
  /** Applies all changes or none; resolves when they are on disk. A result that is not `done` means none was applied. */
  apply(changes: readonly Change[]): Promise<readonly ChangeResult[]>
  /** Applies each change by itself; resolves when all that are `done` are on disk. For imports. */
  applyEach(changes: readonly Change[]): Promise<readonly ChangeResult[]>
  /** Grows whenever something that the scope can see may have changed, by whichever process. */
  changeCounter(scope: Scope): number
}

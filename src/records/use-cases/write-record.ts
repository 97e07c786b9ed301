import type { ChangeResult, RecordStore } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../work/deps.ts'
import { WRITE_ATTEMPTS } from './change.ts'
import type { CheckedRecord, Findings, Step, Write } from './write.ts'
import { AFTERWARDS, CHECKS, FOLLOWING } from './write-stages.ts'

const NOTHING: Findings = { existing: null, duplicates: [], sameAs: [], warnings: [] }

/** Puts a record through the checks, up to the one that finds another in its place; throws the refusal of the first that refuses it. */
export async function check(record: CheckedRecord): Promise<Findings> {
  let found = NOTHING
  for (const one of CHECKS) {
    const { warnings = [], ...more } = await one(record, found)
    found = { ...found, ...more, warnings: [...found.warnings, ...warnings] }
    if (found.existing !== null) break
  }
  return found
}

/** Outcome of a write. */
export interface Committed {
  readonly isDone: boolean
  /** Results of the steps, in order. */
  readonly results: readonly ChangeResult[]
  /** Whether only what follows from the write kept it from being done: it was changed meanwhile. */
  readonly isFollowingStale: boolean
}

/** Commits changes with what follows from them, in one transaction, and does what is done afterwards. */
export async function commit(deps: RecordDeps, write: Write): Promise<Committed> {
  const { steps, beside = [], by, once } = write
  const following = await Promise.all(FOLLOWING.map((changesOf) => changesOf(deps, steps)))
  const own = [...steps.map(({ change }) => change), ...beside]
  const results = await deps.store.apply([...own, ...following.flat()], by, once)
  const isDone = results.every(isApplied)
  if (isDone) for (const afterwards of AFTERWARDS) await afterwards(deps, write)
  return {
    isDone,
    results: results.slice(0, steps.length),
    isFollowingStale: !isDone && results.slice(0, own.length).every(isApplied),
  }
}

function isApplied({ outcome }: ChangeResult): boolean {
  return outcome === 'done'
}

/** Options for one step. */
export type CommitTerms = Omit<Write, 'steps'>

/** Commits a change of one record. Gives its result; `changed` also when something beside it has changed meanwhile. */
export async function commitOne(deps: RecordDeps, step: Step, terms: CommitTerms): Promise<ChangeResult> {
  const attempt = () => commit(deps, { ...terms, steps: [step] })
  const { before, after } = step
  if (before?.id === after?.id) return resultOf(await attempt())
  for (let count = 0; count < WRITE_ATTEMPTS; count++) {
    const committed = await inTurn(deps.store, after?.id ?? before?.id ?? '', attempt)
    if (!committed.isFollowingStale) return resultOf(committed)
  }
  return CHANGED
}

const CHANGED: ChangeResult = { outcome: 'changed' }

/** Nothing was applied unless all was. */
function resultOf({ isDone, results: [result = CHANGED] }: Committed): ChangeResult {
  return isDone || result.outcome !== 'done' ? result : CHANGED
}

const turns = new WeakMap<RecordStore, Map<string, Promise<unknown>>>()

/**
 * Runs work on one subject after work on the same subject that came before. Versions keep writes right without it; it only saves the
 * writers of one process from losing against each other again and again.
 */
export async function inTurn<T>(store: RecordStore, subject: string, work: () => Promise<T>): Promise<T> {
  const waiting = turns.get(store) ?? new Map<string, Promise<unknown>>()
  turns.set(store, waiting)
  const before = waiting.get(subject) ?? Promise.resolve()
  const turn = before.then(work, work)
  waiting.set(subject, turn)
  try {
    return await turn
  } finally {
    if (waiting.get(subject) === turn) waiting.delete(subject)
  }
}

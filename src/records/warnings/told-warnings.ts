import type { Warning } from '../../kernel/warnings.ts'
import type { Scope } from '../../query/plan/scope.ts'
import type { RecordDeps } from '../deps.ts'
import { refuseWarnings } from './refuse-warnings.ts'
import type { WriteWarning } from './write-warnings.ts'

/** Whether what would be stored with a warning is refused. */
export interface Strictness {
  readonly strict?: boolean
}

/** The warnings of a record that its writer is told: a field that other visible records have too is meant. */
export function toldWarnings(
  { store }: Pick<RecordDeps, 'store'>,
  collection: string,
  scope: Scope,
  warnings: readonly WriteWarning[],
  { strict = false }: Strictness,
): readonly Warning[] {
  if (warnings.length === 0) return warnings
  const knowledge = store.knowledge(collection, scope)
  const told = warnings
    .filter(({ unlessSeen, path }) => unlessSeen !== true || (knowledge?.kindsAt(path)?.size ?? 0) === 0)
    .map(({ unlessSeen: _, ...warning }) => warning)
  if (strict) refuseWarnings(told)
  return told
}

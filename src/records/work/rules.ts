import type { StructureLimits } from '../../structure/crystal.ts'
import type { SymmetryFinder } from '../../structure/symmetry/symmetry-report.ts'
import type { RecordLimits } from '../limits.ts'
import type { RecordKind } from '../record-kind.ts'

/** By which rules records are made. */
export interface RecordRules {
  /** Those of an operator too. */
  readonly kinds: readonly RecordKind[]
  readonly limits: RecordLimits
  readonly structureLimits: StructureLimits
  /** Undefined where symmetry is switched off. */
  readonly symmetry: SymmetryFinder | undefined
  /** Milliseconds of processor time after which the search for symmetry is given up. */
  readonly symmetryTimeMs: number
}

/** The kind of a collection, which must be there. */
export function kindIn({ kinds }: Pick<RecordRules, 'kinds'>, collection: string): RecordKind {
  const kind = kinds.find((candidate) => candidate.collection === collection)
  if (kind === undefined) throw new Error(`there is no kind of records in ${collection}`)
  return kind
}

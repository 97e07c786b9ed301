import type { Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputLimits, Times } from '../../calculation.ts'
import { Remainder } from '../../remainder.ts'
import type { OutputAtoms } from './atoms.ts'
import { PwHead } from './pw-head.ts'
import { PwSteps } from './pw-steps.ts'
import { PwStructure } from './pw-structure.ts'
import { UnreadLines } from './pw-unread.ts'

/** What is known of a run of pw.x while its lines are read. */
export class PwState {
  version: string | null = null
  times: Times = {}
  /** The structure of the head. */
  initial: OutputAtoms | null = null
  /** Where a relaxation has ended, as it is printed once more; `isFinal` while it is. */
  relaxed: OutputAtoms | null = null
  isFinal = false
  isWhole = false
  isElectronsConverged: boolean | null = null
  isAtomsConverged: boolean | null = null
  isMolecularDynamics = false
  /** Whether atoms have been moved. */
  isMoved = false
  /** Whether levels alone are computed, in a potential that is given. */
  isLevelsOnly = false
  /** Forces that are being listed; null where none are, or parts of them. */
  forces: Vector3[] | null = null
  /** Atom whose moment comes next, counted from 0. */
  atom = -1
  readonly limits: OutputLimits
  readonly head = new PwHead()
  readonly structure = new PwStructure()
  readonly remainder = new Remainder()
  readonly unread = new UnreadLines(this.remainder)
  readonly steps: PwSteps

  constructor(limits: OutputLimits) {
    this.limits = limits
    this.steps = new PwSteps(limits, this.remainder)
  }
}

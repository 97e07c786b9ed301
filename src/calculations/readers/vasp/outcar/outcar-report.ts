import type { Matrix3, Vector3 } from '../../../../structure/linear-algebra.ts'
import type { OutputLimits, Times } from '../../../calculation.ts'
import type { KPoints } from '../k-points.ts'
import { IonicSteps } from '../steps.ts'
import { UnusedReport } from '../unused-report.ts'
import type { OutcarTags } from './header-blocks.ts'
import { OutcarStep } from './step.ts'

/** What an OUTCAR says, as far as it has been read. */
export class OutcarReport {
  readonly limits: OutputLimits
  readonly unused = new UnusedReport()
  readonly steps: IonicSteps
  version: string | null = null
  times: Times = {}
  /** Titles of the potentials, in the order of the kinds of atoms, and how many atoms there are of each. */
  readonly titles: string[] = []
  counts: readonly number[] = []
  /** Functionals of the potentials. */
  readonly exchanges = new Set<string>()
  readonly tags: OutcarTags = {}
  /** Copy of the INCAR, which versions from 6 on write. */
  readonly incar: OutcarTags = {}
  kPoints: KPoints = { points: [], weights: [], isLines: null, input: {} }
  /** Lattice vectors in Å, and fractions, at the beginning. */
  vectors: readonly Vector3[] | null = null
  fractions: readonly Vector3[] | null = null
  /** Rows that turn moments from the frame of SAXIS to that of the lattice vectors. */
  frame: Matrix3 | null = null
  /** The ionic step that is read. */
  current: OutcarStep | null = null
  /** The last ionic step that is whole. */
  last: OutcarStep | null = null
  /** Whether the ions came to rest, as the program says. */
  areIonsAtRest = false
  /** Rows and columns XX, YY, ZZ, XY, YZ, ZX, in kbar. */
  elastic: readonly (readonly number[])[] | null = null
  isWhole = false
  /** Lines of the text of potentials, and of notices in frames. */
  potentialLines = 0
  noticeLines = 0

  constructor(limits: OutputLimits) {
    this.limits = limits
    this.steps = new IonicSteps(limits.numbers)
  }

  /** Ends the ionic step that is read: it is the last one if it is whole. */
  endStep(): void {
    const step = this.current
    if (step === null || !step.isWhole) return
    this.steps.add(step.electronic, step.energy, step.forces)
    this.last = step
    this.current = null
  }

  /** Begins an ionic step. */
  beginStep(): void {
    this.endStep()
    this.current = new OutcarStep()
  }

  /** The ionic step that has begun and has no end. */
  get begun(): OutcarStep | null {
    return this.current
  }
}

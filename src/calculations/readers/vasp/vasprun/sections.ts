import type { JsonObject } from '../../../../kernel/json.ts'
import type { KPoints } from '../k-points.ts'
import type { IonicSteps } from '../steps.ts'
import type { Positions, Species } from '../structure.ts'
import type { IonicStep } from './calculation-element.ts'
import type { UnusedElements } from './unused-elements.ts'

/** Sections of a vasprun.xml as they have been read. */
export interface Vasprun {
  readonly generator: JsonObject
  readonly incar: JsonObject
  readonly parameters: JsonObject
  readonly kPoints: KPoints | null
  readonly species: Species | null
  readonly initial: Positions | null
  readonly final: Positions | null
  readonly steps: IonicSteps
  /** The last ionic step that is whole. */
  readonly last: IonicStep | null
  /** The ionic step that has begun and has no end; an output that is whole has none. */
  readonly begun: IonicStep | null
  readonly unused: UnusedElements
  readonly isWhole: boolean
}

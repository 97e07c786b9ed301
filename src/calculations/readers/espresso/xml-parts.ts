import type { OutputLimits } from '../../calculation.ts'
import type { Remainder } from '../../remainder.ts'
import type { XmlBands } from './xml-bands.ts'
import type { XmlSteps } from './xml-steps.ts'

/** What was read of a document while it came. */
export interface XmlParts {
  readonly isWhole: boolean
  readonly bands: XmlBands
  readonly steps: XmlSteps
  readonly remainder: Remainder
  readonly limits: OutputLimits
}

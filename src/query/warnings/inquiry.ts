import type { FieldGuide } from './field-guide.ts'
import type { FieldKnowledge } from './field-knowledge.ts'
import type { WarningList } from './warning-list.ts'

/** What looking for warnings goes by, and where it puts them. */
export interface Inquiry {
  readonly knowledge: FieldKnowledge
  readonly guide: FieldGuide
  readonly warnings: WarningList
  /** True when there is a visible record at all: where there is none, nothing follows from what they have. */
  readonly hasRecords: boolean
}

import type { FieldGuide } from './field-guide.ts'
import type { FieldKind, FieldKnowledge } from './field-knowledge.ts'
import type { WarningList } from './warning-list.ts'

/** What looking for warnings goes by, and where it puts them. */
export interface Inquiry {
  readonly knowledge: FieldKnowledge
  readonly guide: FieldGuide
  readonly warnings: WarningList
  /** True when there is a visible record at all: where there is none, nothing follows from what they have. */
  readonly hasRecords: boolean
  /** True when the request found nothing: then there is a reason to look closer, and the time for it. */
  readonly foundNothing: boolean
}

/** A field that visible records have, and where the client asks for it. */
export interface AskedField {
  /** Without indexes. */
  readonly path: string
  readonly place: string
  readonly kinds: ReadonlySet<FieldKind>
}

/** Makes the path of a field without the indexes in it. */
export function pathWithoutIndexes(parts: readonly string[]): string {
  return parts.some(isIndex) ? parts.filter((part) => !isIndex(part)).join('.') : parts.join('.')
}

function isIndex(part: string): boolean {
  const first = part.charCodeAt(0)
  return first >= 48 && first <= 57 && /^\d+$/.test(part)
}

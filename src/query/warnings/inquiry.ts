import type { Warning } from '../../kernel/warnings.ts'
import type { FieldKind } from '../ast/survey.ts'
import type { FieldGuide, FieldKnowledge } from './field-knowledge.ts'

/** Context of looking for warnings, and where it puts them. */
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

/** More of them are read by nobody. */
const MOST_WARNINGS = 20

/** The warnings of one request, each about one field once. */
export class WarningList {
  readonly #warnings: Warning[] = []
  readonly #told = new Set<string>()

  get all(): readonly Warning[] {
    return this.#warnings
  }

  /** True when there is no room for another. */
  get isFull(): boolean {
    return this.#warnings.length >= MOST_WARNINGS
  }

  /** Adds a warning about `subject`, unless there is one of the kind about it already. */
  add(subject: string, added: Warning): void {
    const name = `${added.code} ${subject}`
    if (this.isFull || this.#told.has(name)) return
    this.#told.add(name)
    this.#warnings.push(added)
  }
}

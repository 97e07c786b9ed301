import { versionTag } from '../../records/version-tag.ts'
import type { GlancedRecord } from '../../store/port/record-store.ts'

/** The entity tag of a record: every write changes it, and no other record ever has it. */
export function etagOf(record: GlancedRecord): string {
  return `"${versionTag(record)}"`
}

/** Tells whether an `If-None-Match` header names the tag (RFC 9110, 13.1.2: weak comparison). */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = strong(tag)
  return header.split(',').some((candidate) => strong(candidate.trim()) === opaque)
}

function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

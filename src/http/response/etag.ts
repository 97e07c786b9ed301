import type { GlancedRecord } from '../../store/port/record-store.ts'

/** The entity tag of a record: its version, which every write changes. */
export function etagOf(record: GlancedRecord): string {
  return `"${record.version}"`
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

import { hash } from 'node:crypto'
import type { Scope } from '../../query/plan.ts'
import { versionTag } from '../../records/ids.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'

/** The entity tag of a record: every write changes it, and no other record ever has it. */
export function etagOf(record: Pick<StoredRecord, 'serial' | 'version'>): string {
  return `"${versionTag(record)}"`
}

/** Tells whether an `If-None-Match` header names the tag (RFC 9110, 13.1.2: weak comparison). */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = strong(tag)
  return header.split(',').some((candidate) => strong(candidate.trim()) === opaque)
}

function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

/** State behind the entity tag of a list. */
export interface ListState {
  readonly edition: string
  readonly scope: Scope
  readonly target: string
  /** Counter of the changes that the scope can see. */
  readonly counter: number
  /** Whether an answer with warnings would have been refused. */
  readonly strict: boolean
}

/**
 * The entity tag of a list: another one whenever something has changed that the requester can see, and for any other requester
 * or question. Weak, since it is not made from the bytes.
 */
export function listTag({ edition, scope, target, counter, strict }: ListState): string {
  const requester = scope.kind === 'account' ? scope.accountId : scope.kind
  return `W/"${hash('sha256', `${edition} ${counter} ${requester} ${strict ? 'strict ' : ''}${target}`, 'base64url').slice(0, 22)}"`
}

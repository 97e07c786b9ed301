import { hash } from 'node:crypto'
import type { Scope } from '../../query/plan/scope.ts'
import type { Page } from '../../store/port/record-store.ts'
import { type Answer, makeAnswer } from '../fast-lane/answer.ts'
import type { Beside } from './beside.ts'
import type { NextAddress } from './next-page.ts'

/** Station 5 of a list that a GET asked for. */
export function listAnswer(page: Page, etag: string, next: NextAddress | null, beside: Beside): Answer {
  return makeAnswer(page.documents, etag, next, beside)
}

/** What the entity tag of a list stands for. */
export interface ListState {
  readonly edition: string
  readonly scope: Scope
  readonly target: string
  /** Of the changes that the scope can see. */
  readonly counter: number
  /** Whether an answer with warnings would have been refused. */
  readonly strict: boolean
}

/**
 * The entity tag of a list: another one whenever something has changed that the asker can see, and for any other asker
 * or question. Weak, since it is not made from the bytes.
 */
export function listTag({ edition, scope, target, counter, strict }: ListState): string {
  const asker = scope.kind === 'account' ? scope.accountId : scope.kind
  return `W/"${hash('sha256', `${edition} ${counter} ${asker} ${strict ? 'strict ' : ''}${target}`, 'base64url').slice(0, 22)}"`
}

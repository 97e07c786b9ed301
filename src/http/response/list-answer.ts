import { hash } from 'node:crypto'
import type { Scope } from '../../query/plan/scope.ts'
import type { Page } from '../../store/port/record-store.ts'
import { type Answer, makeAnswer } from '../fast-lane/answer.ts'

const HEAD = Buffer.from('{"status":"success","data":')
const TAIL = Buffer.from('}')

/** Puts the documents of a page, which are JSON already, into the envelope. */
export function pageBody({ documents }: Page): Buffer {
  const length = HEAD.length + documents.length + TAIL.length
  // Not from the shared pool: a small page that is remembered would keep all of the pool's block.
  const body = Buffer.allocUnsafeSlow(length)
  HEAD.copy(body, 0)
  documents.copy(body, HEAD.length)
  TAIL.copy(body, length - TAIL.length)
  return body
}

/** Station 5 of a list that a GET asked for. */
export function listAnswer(page: Page, etag: string, nextPage: readonly string[]): Answer {
  return makeAnswer(pageBody(page), etag, nextPage)
}

/** What the entity tag of a list stands for. */
export interface ListState {
  readonly edition: string
  readonly scope: Scope
  readonly target: string
  /** Of the changes that the scope can see. */
  readonly counter: number
}

/**
 * The entity tag of a list: another one whenever something has changed that the asker can see, and for any other asker
 * or question. Weak, since it is not made from the bytes.
 */
export function listTag({ edition, scope, target, counter }: ListState): string {
  const asker = scope.kind === 'account' ? scope.accountId : scope.kind
  return `W/"${hash('sha256', `${edition} ${counter} ${asker} ${target}`, 'base64url').slice(0, 22)}"`
}

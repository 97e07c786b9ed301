import { hash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { AskedDigest } from '../exchange/asked-digest.ts'
import type { RequestContext } from '../exchange/context.ts'
import { sessionOf } from '../exchange/context.ts'

export const LONGEST_KEY = 255

/** A text of RFC 8941 (3.3.3), or the same without its quotes. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/
const PLAIN = /^[!#-+\--~]+$/

/** Reads the key; null when there is none. */
export function readKey({ headers }: RequestContext): string | null {
  const text = headers['idempotency-key']
  if (text === undefined) return null
  const given = typeof text === 'string' ? text.trim() : ''
  const key = PLAIN.test(given) ? given : (QUOTED.exec(given)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? '')
  if (key.length > 0 && key.length <= LONGEST_KEY) return key
  const message = `An Idempotency-Key is a text of 1 to ${LONGEST_KEY} visible characters of ASCII, given once, in quotes or without.`
  throw new AppError(HTTP_ERRORS.invalidKey, message, {
    path: 'Idempotency-Key',
    hint: 'Send a UUID: a new one for each request that is meant to do something of its own.',
  })
}

/** By what a request is known again: whose it is and its key, and all that it asks. */
export interface RequestIdentity {
  readonly accountId: string
  readonly key: string
  readonly asked: string
}

/** Makes another user's key worthless: keys are of one user in one account. */
export function identityOf(context: RequestContext, key: string): RequestIdentity {
  const { account, user } = sessionOf(context)
  return {
    accountId: account.id,
    key: hash('sha256', JSON.stringify([user.id, key]), 'base64url'),
    // A request without a body has no digest yet.
    asked: (context.digest ?? new AskedDigest(context)).end(),
  }
}

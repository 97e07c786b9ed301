import type { Session } from '../../../accounts/session.ts'
import type { TokenSummary } from '../../../accounts/tokens.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { ID, INSTANT, nullable, object, TEXT } from '../../openapi/schemas.ts'

export const TOKEN_SCHEMA = object({
  _id: ID,
  name: TEXT,
  kind: { enum: ['session', 'api'] },
  accountId: ID,
  oneAccount: { type: 'boolean', description: 'Whether it works for that account only.' },
  readOnly: { type: 'boolean' },
  createdAt: INSTANT,
  lastUsedAt: nullable(INSTANT),
  expiresAt: nullable(INSTANT),
  isCurrent: { type: 'boolean', description: 'True for the token of this very request.' },
})

/** Writes a token as its user may see it. */
export function presentToken(token: TokenSummary, session: Session): JsonObject {
  return {
    _id: token.id,
    name: token.name,
    kind: token.kind,
    accountId: token.accountId,
    oneAccount: token.oneAccount,
    readOnly: token.readOnly,
    createdAt: isoInstant(token.createdAt),
    lastUsedAt: token.lastUsedAt === null ? null : isoInstant(token.lastUsedAt),
    expiresAt: token.expiresAt === null ? null : isoInstant(token.expiresAt),
    isCurrent: token.id === session.token.id,
  }
}

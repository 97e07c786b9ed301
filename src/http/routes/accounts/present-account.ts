import type { Member } from '../../../accounts/members.ts'
import type { Membership } from '../../../accounts/organizations.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Role } from '../../../store/port/account-store.ts'
import { API_PREFIX } from '../../address.ts'
import { ID, INSTANT, nullable, object, TEXT } from '../../openapi/schemas.ts'

export const ACCOUNTS_PATH = `${API_PREFIX}/accounts`

export const ROLES: readonly Role[] = ['owner', 'administrator', 'member']

export const ACCOUNT_SCHEMA = object({
  _id: ID,
  name: TEXT,
  slug: TEXT,
  type: { enum: ['personal', 'organization'] },
  email: nullable(TEXT),
  createdAt: INSTANT,
  role: { enum: ROLES },
  isDefault: { type: 'boolean' },
})

export const MEMBER_SCHEMA = object({ user: object({ _id: ID, name: TEXT, slug: TEXT }), role: { enum: ROLES } })

/** Writes an account as one of its members sees it. */
export function presentAccount({ account, role, isDefault }: Membership): JsonObject {
  const { id, name, slug, type, email, createdAt } = account
  return { _id: id, name, slug, type, email, createdAt: isoInstant(createdAt), role, isDefault }
}

/** Writes a member as other members see one: without the address that logs in. */
export function presentMember({ user, role }: Member): JsonObject {
  return { user: { _id: user.id, name: user.name, slug: user.slug }, role }
}

import { listAccounts, type Membership } from '../../../accounts/organizations.ts'
import type { Session } from '../../../accounts/session.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { API_PREFIX } from '../../address.ts'
import { ID, listOf, nullable, object, TEXT } from '../../openapi/schemas.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'

const ACCOUNTS = listOf(
  object({
    entity: object({ _id: ID, name: TEXT, slug: TEXT, type: { enum: ['personal', 'organization'] } }),
    role: { enum: ['owner', 'administrator', 'member'] },
    isDefault: { type: 'boolean' },
  }),
)
const SCHEMA = object({
  user: object({
    entity: object({ _id: ID, name: TEXT, slug: TEXT, email: nullable(TEXT), defaultAccountId: ID }),
    accounts: ACCOUNTS,
  }),
  accounts: ACCOUNTS,
})

export function showMeRoute({ accounts }: HttpServices): Route {
  return {
    method: 'GET',
    // Newer clients ask here, whatever version they use for records.
    path: '/api/v1/users/me',
    aliases: [`${API_PREFIX}/users/me`],
    access: 'session',
    operation: {
      id: 'showMe',
      tag: 'Users',
      summary: 'Show the user of this request and the accounts that the user belongs to',
      success: { status: 200, description: 'The user and its accounts, one of them the default.', schema: SCHEMA },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const session = sessionOf(request)
      const memberships = await listAccounts(accounts, session.user.id)
      return sendData(reply, presentMe(session, memberships))
    },
  }
}

function presentMe({ user }: Session, memberships: readonly Membership[]): JsonObject {
  const defaultAccountId = memberships.find(({ isDefault }) => isDefault)?.account.id ?? null
  const accounts = memberships.map(({ account: { id, name, slug, type }, role, isDefault }) => ({
    entity: { _id: id, name, slug, type },
    role,
    isDefault,
  }))
  const entity = { _id: user.id, name: user.name, slug: user.slug, email: user.email, defaultAccountId }
  // Clients look for the accounts in either place, by their age.
  return { user: { entity, accounts }, accounts }
}

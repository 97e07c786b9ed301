import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import { listMembers, putMember, removeMember } from '../../accounts/members.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { Role } from '../../store/port/account-store.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { readFields, readNoBody } from '../request/body.ts'
import { assertNoParameters, pathId, pathParameter } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { ACCOUNTS_PATH, MEMBER_SCHEMA, presentMember, ROLES } from './accounts.ts'

const MEMBERS_PATH = `${ACCOUNTS_PATH}/:id/members`

/** Routes for members of an account. `:user` is a name or an id. */
export function memberRoutes(services: HttpServices): readonly Route[] {
  return [listRoute(services), putRoute(services), removeRoute(services)]
}

function listRoute({ accounts }: HttpServices): Route {
  return {
    method: 'GET',
    path: MEMBERS_PATH,
    access: 'session',
    operation: {
      id: 'listMembers',
      tag: 'Accounts',
      summary: 'List the members of one of your accounts',
      success: { description: 'The owner first, then by name.', schema: listOf(MEMBER_SCHEMA) },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const members = await listMembers(accounts, sessionOf(context), pathId(context))
      return dataResponse(members.map(presentMember))
    },
  }
}

function putRoute({ accounts }: HttpServices): Route {
  return {
    method: 'PUT',
    path: `${MEMBERS_PATH}/:user`,
    access: 'session',
    operation: {
      id: 'putMember',
      tag: 'Accounts',
      summary: 'Take a user in, or change the role of a member',
      description:
        'Owner and administrators can. Only the owner can make a member the owner, and is an administrator afterwards.',
      body: { schema: object({ role: { enum: ROLES, default: 'member' } }, ['role']), required: false },
      success: { description: 'The member.', schema: MEMBER_SCHEMA },
      failures: [403, 404, 409],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { role = 'member' } = readFields(context, ['role'])
      const user = pathParameter(context, 'user')
      const member = await putMember(accounts, sessionOf(context), pathId(context), { user, role: readRole(role) })
      return dataResponse(presentMember(member))
    },
  }
}

function removeRoute({ accounts }: HttpServices): Route {
  return {
    method: 'DELETE',
    path: `${MEMBERS_PATH}/:user`,
    access: 'session',
    operation: {
      id: 'removeMember',
      tag: 'Accounts',
      summary: 'Let a member go, or leave',
      success: { description: 'Access has ended.', schema: object({ message: TEXT }) },
      failures: [403, 404, 409],
    },
    handler: async (context) => {
      assertNoParameters(context)
      readNoBody(context)
      const name = pathParameter(context, 'user')
      const { user } = await removeMember(accounts, sessionOf(context), pathId(context), name)
      return dataResponse({ message: `Member ${user.name} successfully removed` })
    },
  }
}

function readRole(value: Json): Role {
  const role = ROLES.find((candidate) => candidate === value)
  if (role !== undefined) return role
  throw new AppError(ACCOUNT_ERRORS.invalidRole, `"role" is one of ${ROLES.join(', ')}.`, { path: 'role' })
}

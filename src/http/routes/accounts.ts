import type { Member } from '../../accounts/members.ts'
import { DESCRIPTION_LENGTH, type GivenWords, TITLE_LENGTH } from '../../accounts/organization-words.ts'
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  listAccounts,
  type Membership,
  membershipIn,
} from '../../accounts/organizations.ts'
import { isoInstant } from '../../kernel/clock.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { undoEntriesOf } from '../../records/use-cases/undo-entries.ts'
import type { Role } from '../../store/port/account-store.ts'
import { API_PREFIX } from '../address.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { ID, INSTANT, listOf, nullable, object, TEXT } from '../openapi/schemas.ts'
import { invalidField, readFields, readNoBody } from '../request/body.ts'
import { assertNoParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'

export const ACCOUNTS_PATH = `${API_PREFIX}/accounts`

export const ROLES: readonly Role[] = ['owner', 'administrator', 'member']

const TITLE: JsonObject = { type: 'string', minLength: 1, maxLength: TITLE_LENGTH }
const DESCRIPTION: JsonObject = { type: 'string', maxLength: DESCRIPTION_LENGTH }

const ACCOUNT_SCHEMA = object({
  _id: ID,
  name: TEXT,
  slug: TEXT,
  type: { enum: ['personal', 'organization'] },
  email: nullable(TEXT),
  title: nullable(TITLE),
  description: nullable(DESCRIPTION),
  createdAt: INSTANT,
  role: { enum: ROLES },
  isDefault: { type: 'boolean' },
})

export const MEMBER_SCHEMA = object({ user: object({ _id: ID, name: TEXT, slug: TEXT }), role: { enum: ROLES } })

export function presentAccount({ account, role, isDefault }: Membership): JsonObject {
  const { id, name, slug, type, email, title, description, createdAt } = account
  return { _id: id, name, slug, type, email, title, description, createdAt: isoInstant(createdAt), role, isDefault }
}

/** Writes a member as other members see one: without the address that logs in. */
export function presentMember({ user, role }: Member): JsonObject {
  return { user: { _id: user.id, name: user.name, slug: user.slug }, role }
}

const WORDS = ['title', 'description'] as const

/** The accounts of whoever asks: the personal one and organizations. */
export function accountRoutes(services: HttpServices): readonly Route[] {
  return [listRoute(services), createRoute(services), getRoute(services), changeRoute(services), deleteRoute(services)]
}

function listRoute({ accounts }: HttpServices): Route {
  return {
    method: 'GET',
    path: ACCOUNTS_PATH,
    access: 'session',
    operation: {
      id: 'listAccounts',
      tag: 'Accounts',
      summary: 'List the accounts that you belong to',
      success: { description: 'Your accounts, with your role.', schema: listOf(ACCOUNT_SCHEMA) },
    },
    handler: async (context) => {
      assertNoParameters(context)
      const memberships = await listAccounts(accounts, sessionOf(context).user.id)
      return dataResponse(memberships.map(presentAccount))
    },
  }
}

function createRoute({ accounts }: HttpServices): Route {
  return {
    method: 'POST',
    path: ACCOUNTS_PATH,
    access: 'session',
    repeats: 'kept',
    operation: {
      id: 'createOrganization',
      tag: 'Accounts',
      summary: 'Create an organization, an account with members; you are its owner',
      body: {
        schema: object(
          { name: TEXT, title: nullable(TITLE), description: nullable(DESCRIPTION), email: nullable(TEXT) },
          ['title', 'description', 'email'],
        ),
        example: { name: 'surface-lab-2', title: 'Surface Lab 2' },
      },
      success: { status: 201, description: 'The account.', schema: ACCOUNT_SCHEMA },
      failures: [403, 409],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { name, email = null, ...words } = readFields(context, ['name', 'email', ...WORDS])
      if (typeof name !== 'string') throw invalidField('name', 'what the organization is called')
      if (email !== null && typeof email !== 'string') throw invalidField('email', 'an e-mail address, or absent')
      const request = { name, email, ...givenWords(words) }
      const present = (membership: Membership) =>
        dataResponse(presentAccount(membership), 201, { location: `${ACCOUNTS_PATH}/${membership.account.id}` })
      const { once } = context
      const tell = once === null ? undefined : (created: Membership) => once.tell(present(created), null)
      return present(await createOrganization(accounts, sessionOf(context), request, tell))
    },
  }
}

function getRoute({ accounts }: HttpServices): Route {
  return {
    method: 'GET',
    path: `${ACCOUNTS_PATH}/:id`,
    access: 'session',
    operation: {
      id: 'getAccount',
      tag: 'Accounts',
      summary: 'Read one of your accounts',
      success: { description: 'The account, with your role.', schema: ACCOUNT_SCHEMA },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      return dataResponse(presentAccount(await membershipIn(accounts, sessionOf(context), pathId(context))))
    },
  }
}

function changeRoute({ accounts }: HttpServices): Route {
  return {
    method: 'PATCH',
    path: `${ACCOUNTS_PATH}/:id`,
    access: 'session',
    repeats: 'kept',
    operation: {
      id: 'changeOrganization',
      tag: 'Accounts',
      summary: 'Change the title or description of an organization; its owner and administrators can',
      description: 'What is left out stays; null takes it away. Without a title the name is shown.',
      body: {
        schema: object({ title: nullable(TITLE), description: nullable(DESCRIPTION) }, WORDS),
        example: { title: 'Surface Lab 2' },
      },
      success: { description: 'The account.', schema: ACCOUNT_SCHEMA },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const words = givenWords(readFields(context, WORDS))
      if (Object.keys(words).length === 0) throw invalidField('title', 'there, or the field "description"')
      const change = { accountId: pathId(context), words }
      const present = (membership: Membership) => dataResponse(presentAccount(membership))
      const { once } = context
      const tell = once === null ? undefined : (changed: Membership) => once.tell(present(changed), null)
      return present(await changeOrganization(accounts, sessionOf(context), change, tell))
    },
  }
}

/** What a body says of an organization to people. */
function givenWords(fields: { readonly [Name in (typeof WORDS)[number]]?: Json }): GivenWords {
  const words: { -readonly [Name in keyof GivenWords]: GivenWords[Name] } = {}
  for (const name of WORDS) {
    const value = fields[name]
    if (value === undefined) continue
    if (value !== null && typeof value !== 'string') throw invalidField(name, 'a text, null or absent')
    words[name] = value
  }
  return words
}

function deleteRoute({ accounts, records }: HttpServices): Route {
  return {
    method: 'DELETE',
    path: `${ACCOUNTS_PATH}/:id`,
    access: 'session',
    operation: {
      id: 'deleteOrganization',
      tag: 'Accounts',
      summary: 'Delete an organization that has no records; only its owner can',
      success: { description: 'It is gone.', schema: object({ message: TEXT, _id: ID }) },
      failures: [403, 404, 409],
    },
    handler: async (context) => {
      assertNoParameters(context)
      readNoBody(context)
      const { id, name } = await deleteOrganization(
        accounts,
        sessionOf(context),
        pathId(context),
        undoEntriesOf(records),
      )
      return dataResponse({ message: `Organization ${name} successfully deleted`, _id: id })
    },
  }
}

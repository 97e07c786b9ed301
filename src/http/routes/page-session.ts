import { listAccounts } from '../../accounts/organizations.ts'
import type { Session } from '../../accounts/session.ts'
import { endFormerSession, logOut, resolveSession } from '../../accounts/sessions.ts'
import { DAY_MS } from '../../accounts/settings.ts'
import { AppError } from '../../kernel/errors.ts'
import { API_PREFIX } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type RequestContext, sessionOf } from '../exchange/context.ts'
import { dataResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { MESSAGE, nullable, object, TEXT } from '../openapi/schemas.ts'
import type { PageSession } from '../request/authenticate.ts'
import { readNoBody } from '../request/body.ts'
import { assertNoParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { LOGIN_BODY_LIMIT, logInFrom, ME_SCHEMA, presentMe } from './session.ts'

const PATH = `${API_PREFIX}/session`
const SECONDS_PER_DAY = DAY_MS / 1000
/** Said of each: programs have another way. */
const FOR_THE_PAGE =
  'For the page: the credential is a cookie, which counts only where the page sends it. Programs log in with `POST /login`.'

/** Signing in on the page, who is signed in, and signing out. */
export function pageSessionRoutes({ accounts }: HttpServices, page: PageSession): readonly Route[] {
  const sendMe = async (_context: RequestContext, session: Session, headers: Readonly<Record<string, string>>) => {
    const memberships = await listAccounts(accounts, session.user.id)
    return dataResponse(presentMe(session, memberships), 200, headers)
  }
  const seconds = accounts.settings.sessionMostDays * SECONDS_PER_DAY
  return [
    {
      method: 'POST',
      path: PATH,
      access: 'guest',
      bodyLimit: LOGIN_BODY_LIMIT,
      operation: {
        id: 'signIn',
        tag: 'Session',
        summary: 'Sign in on the page',
        description: FOR_THE_PAGE,
        body: {
          schema: object({ username: { type: 'string', description: 'User name or e-mail address.' }, password: TEXT }),
          isForm: true,
        },
        success: { description: 'The user; the cookie is set.', schema: ME_SCHEMA },
        failures: [401, 403, 429],
      },
      async handler(context) {
        assertFromPage(page, context)
        const credentials = await logInFrom(context, accounts)
        const session = await resolveSession(accounts, credentials)
        // Its cookie is replaced: nobody could use or end it any more.
        await endFormerSession(accounts, page.tokenOf(context.raw))
        return sendMe(context, session, kept(page.cookie(context.raw, credentials.token, seconds)))
      },
    },
    {
      method: 'GET',
      path: PATH,
      access: 'anyone',
      operation: {
        id: 'showSession',
        tag: 'Session',
        summary: 'Show who is signed in, or null',
        success: { description: 'The user and its accounts; null for a guest.', schema: nullable(ME_SCHEMA) },
      },
      handler(context) {
        assertNoParameters(context)
        const { session } = context
        return session === null ? dataResponse(null, 200, NOT_KEPT) : sendMe(context, session, NOT_KEPT)
      },
    },
    {
      method: 'DELETE',
      path: PATH,
      access: 'session',
      operation: {
        id: 'signOut',
        tag: 'Session',
        summary: 'Sign out: the session is over, and the cookie gone',
        success: { description: 'The session is over.', schema: MESSAGE },
      },
      async handler(context) {
        assertNoParameters(context)
        readNoBody(context)
        await logOut(accounts, sessionOf(context))
        return dataResponse({ message: 'You are successfully logged out' }, 200, kept(page.cookie(context.raw, '', 0)))
      },
    },
  ]
}

/** The user of the page changes with the cookie. */
const NOT_KEPT = { 'cache-control': 'no-store' }

const kept = (cookie: string) => ({ ...NOT_KEPT, 'set-cookie': cookie })

/** Else a page of another origin could sign its visitors in under a name of its own. */
function assertFromPage(page: PageSession, { raw }: RequestContext): void {
  if (page.isFromPage(raw)) return
  throw new AppError(HTTP_ERRORS.notThePage, 'Only the page of this server signs in with a cookie.', {
    hint: `A program sends the same to ${API_PREFIX}/login, and gets a credential for its headers.`,
  })
}

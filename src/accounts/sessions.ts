import { AppError, isOf } from '../kernel/errors.ts'
import { newId } from '../kernel/names.ts'
import type { ResolvedToken, TokenRow, UserRow } from '../store/port/account-store.ts'
import type { Actor } from '../store/port/audit.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { ACCOUNT_EVENTS } from './events.ts'
import { actorOf, assertMayWrite, keptTo, NOWHERE, type Session } from './session.ts'
import { DAY_MS } from './settings.ts'
import { endOfToken, hasEnded, lastUseOf, listTokens, newTokenSecret, tokenHash } from './tokens.ts'

interface PasswordAttempt {
  readonly login: string
  readonly password: string
  readonly address: string
  readonly by: Actor
}

/** Tells whether a password is that of a user who is not disabled. Failures are slowed down, logged, audited, and all take as long. */
export async function isPasswordOf(
  deps: AccountDeps,
  user: UserRow | null,
  { login, password, address, by }: PasswordAttempt,
): Promise<boolean> {
  const attempt = await deps.throttle
    .begin({ login, address, user })
    .catch((error: unknown) => noteSlowDown(deps, by, error))
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, password).catch(attempt.giveUp)
  if (user === null || !isRight || user.disabledAt !== null) {
    await noteFailure(deps, by, user)
    return false
  }
  await attempt.succeed(user)
  return true
}

function noteSlowDown({ log }: AccountDeps, { request, address }: Actor, error: unknown): never {
  const isSlowDown = isOf(ACCOUNT_ERRORS.tooManyLogins, error)
  if (isSlowDown) log.tell(ACCOUNT_EVENTS.loginSlowedDown, { request, address })
  throw error
}

/** The same work whatever was wrong. What was given as a name is not kept unless somebody has it: people type passwords there. */
async function noteFailure(deps: AccountDeps, by: Actor, user: UserRow | null): Promise<void> {
  const { request, address } = by
  deps.log.tell(ACCOUNT_EVENTS.loginFailed, { request, user: user?.name ?? null, address })
  try {
    await deps.store.noteFailedLogin(by)
  } catch (error) {
    deps.log.tell(ACCOUNT_EVENTS.auditFailed, { request }, error)
  }
}

/** Marks of browsers in `User-Agent`, which also names browsers they resemble; the first one found counts. */
const BROWSERS: readonly (readonly [mark: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chromium/', 'Chromium'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const SYSTEMS: readonly (readonly [mark: string, name: string])[] = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

/** Characters read of a header, which may be long. */
const LOOKED_AT = 400
/** Longest name of a program, in characters. */
const MOST_CHARACTERS = 60

/** Name of a session whose program is unknown. */
const NAMELESS = 'login'

/** Names the program that sends a `User-Agent`, as in `Firefox on Linux` or `python-requests 2.32`; it may lie, nothing depends on it. */
export function programOf(userAgent: string | undefined): string {
  const told = (userAgent ?? '').slice(0, LOOKED_AT)
  const browser = told.startsWith('Mozilla/') ? findIn(BROWSERS, told) : null
  if (browser !== null) {
    const system = findIn(SYSTEMS, told)
    return system === null ? browser : `${browser} on ${system}`
  }
  const product = /^[\w.+-]+(?:\/[\w.+-]+)?/.exec(told)?.[0] ?? ''
  return product === '' ? NAMELESS : product.replace('/', ' ').slice(0, MOST_CHARACTERS)
}

function findIn(marks: typeof BROWSERS, text: string): string | null {
  return marks.find(([mark]) => text.includes(mark))?.[1] ?? null
}

/** The pair that authenticates requests. The token is shown here and never again. */
export interface Credentials {
  readonly accountId: string
  readonly token: string
}

/** A name, or an e-mail address, and a password, and from where they came. */
export interface LoginRequest {
  readonly login: string
  readonly password: string
  readonly address: string
  readonly request?: string | null
  /** Name of the program, as in `User-Agent`. */
  readonly program?: string | undefined
}

/** Opens a session for the user's default account. Every refusal of name or password is the same, and takes as long. */
export async function logIn(deps: AccountDeps, request: LoginRequest): Promise<Credentials> {
  const user = await deps.store.findUserByLogin(request.login)
  const by = actorOfLogin(request, user)
  const { login, password, address } = request
  const isRight = await isPasswordOf(deps, user, { login, password, address, by })
  if (user === null || !isRight) throw wrongLogin()
  await endForgottenSessions(deps, user, by)

  const token = newTokenSecret(deps.random)
  const now = deps.clock()
  const session: TokenRow = {
    id: newId(deps.random),
    kind: 'session',
    name: programOf(request.program),
    hash: tokenHash(token),
    userId: user.id,
    accountId: user.defaultAccountId,
    oneAccount: false,
    readOnly: false,
    createdAt: now,
    lastUsedAt: null,
    expiresAt: now + deps.settings.sessionMostDays * DAY_MS,
    endedAt: null,
  }
  await deps.store.insertToken(session, by)
  if (await hasNewPassword(deps, user)) {
    await deps.store.revokeToken(user.id, session.id, by)
    throw wrongLogin()
  }
  deps.log.tell(ACCOUNT_EVENTS.loginSucceeded, { request: by.request, user: user.name, address: by.address })
  return { accountId: user.defaultAccountId, token }
}

/** A password that was changed while it was verified opens nothing: whoever changes it ends the sessions that are there by then. */
async function hasNewPassword(deps: AccountDeps, { id, passwordHash }: UserRow): Promise<boolean> {
  return (await deps.store.findUser(id))?.passwordHash !== passwordHash
}

function actorOfLogin({ address, request = null }: LoginRequest, user: UserRow | null): Actor {
  return { via: 'http', address, request, user: user?.id ?? null, account: user?.defaultAccountId ?? null }
}

/** Scripts log in and never out: this keeps the sessions of one user few. */
async function endForgottenSessions(deps: AccountDeps, user: UserRow, by: Actor): Promise<void> {
  const sessions = (await deps.store.listTokens(user.id)).filter(({ kind }) => kind === 'session')
  const newestFirst = sessions.sort((a, b) => lastUseOf(b) - lastUseOf(a))
  for (const [place, session] of newestFirst.entries()) {
    const ended = hasEnded(session, deps.settings, deps.clock())
    if (ended || place >= deps.settings.sessionsPerUser - 1) await deps.store.revokeToken(user.id, session.id, by)
  }
}

function wrongLogin(): AppError {
  return new AppError(ACCOUNT_ERRORS.wrongLogin, 'The user name or the password is wrong.', {
    hint: 'Send username (or e-mail address) and password, form-encoded or as JSON.',
  })
}

/** Ends the sessions of whoever asks, but not the one that is asked in; gives how many. API tokens stay. */
export async function endOtherSessions(deps: AccountDeps, session: Session): Promise<number> {
  assertMayWrite(session)
  const tokens = await listTokens(deps, session.user.id, keptTo(session))
  const others = tokens.filter(({ id, kind }) => kind === 'session' && id !== session.token.id)
  const ends = others.map(({ id }) => deps.store.revokeToken(session.user.id, id, actorOf(session)))
  return (await Promise.all(ends)).filter((wasThere) => wasThere).length
}

/** Ends the session: the token that it came with is dead for good, also when it is an API token. */
export async function logOut(deps: AccountDeps, session: Session): Promise<void> {
  await deps.store.revokeToken(session.user.id, session.token.id, actorOf(session))
}

/** Ends the session that a browser had before it signed in again, whoever it was of. */
export async function endFormerSession(deps: AccountDeps, token: string | null): Promise<void> {
  if (token === null) return
  try {
    const session = await resolveSession(deps, { accountId: null, token }, false)
    if (session.token.kind === 'session') await logOut(deps, session)
  } catch (error) {
    if (!isOf(ACCOUNT_ERRORS.unauthorized, error)) throw error
  }
}

/** Finds out who asks, in the account that is named or else the token's own; refuses alike whatever is wrong. A use prolongs a session. */
export async function resolveSession(
  deps: AccountDeps,
  credentials: { readonly accountId: string | null; readonly token: string },
  isUse = true,
): Promise<Session> {
  const found = await deps.store.resolveToken(tokenHash(credentials.token), credentials.accountId)
  const now = deps.clock()
  if (found === null || found.user.disabledAt !== null) throw unauthorized()
  if (hasEnded(found.token, deps.settings, now)) {
    if (found.token.endedAt === null) await noteEnd(deps, found.token.id, now)
    throw unauthorized()
  }
  if (isUse) deps.store.touchToken(found.token.id, now)
  return sessionOf(found, endOfToken(found.token, deps.settings))
}

/** Writes down that a token has ended, before it is refused: it stays ended when the clock is put back. A full disk lets nobody in. */
async function noteEnd(deps: AccountDeps, tokenId: string, now: number): Promise<void> {
  try {
    await deps.store.endToken(tokenId, now)
  } catch (error) {
    deps.log.tell(ACCOUNT_EVENTS.tokenEndFailed, { tokenId }, error)
  }
}

/** The one answer to a credential that is missing, malformed, unknown, expired, revoked or of a disabled user. */
export function unauthorized(): AppError {
  return new AppError(
    ACCOUNT_ERRORS.unauthorized,
    'You must be logged in to do this: the credential is missing, malformed, unknown, expired or revoked.',
    { hint: 'Send the headers X-Account-Id and X-Auth-Token, or Authorization: Bearer TOKEN.' },
  )
}

function sessionOf({ token, user, account, role }: ResolvedToken, endsAt: number): Session {
  return {
    user: { id: user.id, name: user.name, slug: user.slug, email: user.email },
    account,
    role,
    token: { id: token.id, kind: token.kind, oneAccount: token.oneAccount },
    readOnly: token.readOnly,
    endsAt,
    scope: { kind: 'account', accountId: account.id },
    origin: NOWHERE,
  }
}

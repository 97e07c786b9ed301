import type { Mutant } from './mutant.ts'

const PAGE = 'src/http/request/authenticate.ts'
const ROUTES = 'src/http/routes/page-session.ts'
const SESSIONS = 'src/accounts/sessions.ts'

const OVER_HTTP = { tests: ['test/http/page-session.test.ts'], project: 'sqlite' }
const USERS = { tests: ['test/accounts/log-in.test.ts'] }

/** Mistakes in the sessions of the page and of programs. */
export const SESSION_MUTANTS: readonly Mutant[] = [
  {
    name: 'the cookie of the page goes without TLS, too',
    file: PAGE,
    find: "...(isSecure ? ['Secure'] : []),",
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'a cookie that another server of the host has set without TLS comes before the own one',
    file: PAGE,
    find: 'cookies.get(`${SECURE_PREFIX}${name}`) ?? cookies.get(name) ?? null',
    replace: 'cookies.get(name) ?? cookies.get(`${SECURE_PREFIX}${name}`) ?? null',
    ...OVER_HTTP,
  },
  {
    name: 'scripts of the page read its cookie',
    file: PAGE,
    find: "        'HttpOnly',\n",
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'other sites send the cookie of the page',
    file: PAGE,
    find: "(site !== undefined && site !== 'same-origin')",
    replace: "site === 'cross-site'",
    ...OVER_HTTP,
  },
  {
    name: 'a page of another origin signs its visitors in',
    file: ROUTES,
    find: '        assertFromPage(page, context)\n',
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'who signs out on the page leaves his session behind',
    file: ROUTES,
    find: '        await logOut(accounts, sessionOf(context))\n',
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'the cookie of the page lasts a thousand times as long as its session',
    file: ROUTES,
    find: 'accounts.settings.sessionMostDays * SECONDS_PER_DAY',
    replace: 'accounts.settings.sessionMostDays * DAY_MS',
    ...OVER_HTTP,
  },
  {
    name: 'a user has one session more than there may be',
    file: SESSIONS,
    find: 'place >= deps.settings.sessionsPerUser - 1',
    replace: 'place >= deps.settings.sessionsPerUser',
    ...USERS,
  },
  {
    name: 'the sessions go that were used last when there are too many',
    file: SESSIONS,
    find: 'sort((a, b) => lastUseOf(b) - lastUseOf(a))',
    replace: 'sort((a, b) => lastUseOf(a) - lastUseOf(b))',
    ...USERS,
  },
  {
    name: 'whoever ends his other sessions ends tokens of programs as well',
    file: SESSIONS,
    find: "kind === 'session' && id !== session.token.id",
    replace: 'id !== session.token.id',
    ...USERS,
  },
]

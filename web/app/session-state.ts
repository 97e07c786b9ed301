import { signal } from '@preact/signals'

/** Who is signed in, and where it may act. */
export interface Me {
  readonly user: {
    readonly entity: {
      readonly _id: string
      readonly name: string
      readonly email: string | null
      readonly defaultAccountId: string
    }
  }
  readonly accounts: readonly {
    readonly entity: {
      readonly _id: string
      readonly name: string
      readonly slug: string
      readonly type: 'personal' | 'organization'
      readonly title?: string | null
    }
    readonly role: 'owner' | 'administrator' | 'member'
  }[]
}

const KEY = 'quarry.account'

/** What was known, for all tabs of this server: a proxy may have others at the same origin. */
const KNOWN = `quarry.me ${new URL(/* @vite-ignore */ '..', import.meta.url).pathname}`
/** Milliseconds after which it is asked for anew: accounts and roles are changed by others too. */
const KNOWN_FOR = 5 * 60_000

interface Known {
  readonly me: Me
  readonly since: number
}

/** Null for a guest; undefined until the server has said it, or said it a moment ago. The server has the last word: with every answer. */
export const me = signal<Me | null | undefined>(undefined)

function recall(): Me | undefined {
  const { me, since } = JSON.parse(localStorage.getItem(KNOWN) ?? '{}') as Partial<Known>
  return since !== undefined && Math.abs(Date.now() - since) < KNOWN_FOR ? me : undefined
}

/** Keeps who is signed in, so that the next page need not ask. */
export function rememberSession(known: Me): void {
  localStorage.setItem(KNOWN, JSON.stringify({ me: known, since: Date.now() } satisfies Known))
  me.value = known
}

/** The account that was chosen in this tab; null where it is the user's own. */
export const chosenAccount = signal<string | null>(null)

/** What is to be said above the form of the login. */
export const notice = signal<string | null>(null)

/** Acts in another account of the same user from now on, in this tab. */
export function chooseAccount(id: string): void {
  sessionStorage.setItem(KEY, id)
  chosenAccount.value = id
}

/** The token of the session is in a cookie that no script can read; what else was known goes with it. */
export function forgetSession(words: string | null = null): void {
  sessionStorage.removeItem(KEY)
  localStorage.removeItem(KNOWN)
  chosenAccount.value = null
  notice.value = words
  me.value = null
}

/** Takes up what this tab and others have kept, and follows the others: whoever logs in or out in one does so here, the cookie is the same. */
export function beginSession(): void {
  me.value = recall()
  chosenAccount.value = sessionStorage.getItem(KEY)
  addEventListener('storage', ({ key }) => {
    if (key !== KNOWN) return
    const known = recall()
    if (known?.user.entity._id === me.value?.user.entity._id) return
    if (known === undefined) forgetSession('You are logged out.')
    else {
      sessionStorage.removeItem(KEY)
      chosenAccount.value = null
      me.value = known
    }
  })
}

/** The server no longer takes the session. */
export function sessionEnded(): void {
  if (me.value !== null && me.value !== undefined) forgetSession('Your session has ended. Log in again.')
}

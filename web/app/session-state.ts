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
    readonly entity: { readonly _id: string; readonly name: string; readonly type: 'personal' | 'organization' }
    readonly role: 'owner' | 'administrator' | 'member'
  }[]
}

const KEY = 'quarry.account'

/** Null for a guest; undefined until the server has said it. */
export const me = signal<Me | null | undefined>(undefined)

/** The account that was chosen in this tab; null where it is the user's own. */
export const chosenAccount = signal<string | null>(sessionStorage.getItem(KEY))

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
  chosenAccount.value = null
  notice.value = words
  me.value = null
}

/** The server no longer takes the session. */
export function sessionEnded(): void {
  if (me.value !== null && me.value !== undefined) forgetSession('Your session has ended. Log in again.')
}

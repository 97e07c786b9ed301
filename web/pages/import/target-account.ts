import { signal } from '@preact/signals'
import { calledBy } from '../../app/called-by.ts'
import { chosenAccount, me } from '../../app/session-state.ts'

/** The account that somebody has chosen to import into; null where it is the one that they act in. */
export const chosenTarget = signal<string | null>(null)

/** Id of the account that what is chosen from now on comes into. */
export function targetAccount(): string {
  const own = chosenAccount.value ?? me.value?.user.entity.defaultAccountId ?? ''
  const isMine = me.value?.accounts.some(({ entity }) => entity._id === chosenTarget.value) === true
  return isMine ? (chosenTarget.value ?? own) : own
}

/** What an account is called. */
export function accountName(id: string): string {
  const account = me.value?.accounts.find(({ entity }) => entity._id === id)?.entity
  return account === undefined ? '' : calledBy(account)
}

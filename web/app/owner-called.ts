import { calledBy } from './called-by.ts'
import { me } from './session-state.ts'

/** What people call the account that a record names as its owner; of those that somebody is not in, only the short name is known. */
export function ownerCalled(slug: string): string {
  const account = me.value?.accounts.find(({ entity }) => entity.slug === slug)
  return account === undefined ? slug : calledBy(account.entity)
}

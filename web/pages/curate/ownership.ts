import { chosenAccount, me } from '../../app/session.ts'

/** Whether a record belongs to the account that is acted in. */
export function isMine(record: Readonly<Record<string, unknown>>): boolean {
  const owner = (record['owner'] as { readonly _id?: string } | undefined)?._id
  return owner !== undefined && owner === (chosenAccount.value ?? me.value?.user.entity.defaultAccountId)
}

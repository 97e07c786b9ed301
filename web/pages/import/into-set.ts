import { ask } from '../../api/client.ts'

/** A set that materials are put into: none, one that is there, or a new one by its name. */
export type SetChoice = null | { readonly id: string } | { readonly name: string }

export interface SetEntry {
  readonly _id: string
  readonly name: string
}

/** Records that one change names. */
const MOST_TOGETHER = 1000

/** The sets of an account, by name. */
export async function setsOf(accountId: string, signal: AbortSignal): Promise<readonly SetEntry[]> {
  const search = {
    query: JSON.stringify({ isEntitySet: true, 'owner._id': accountId }),
    projection: '{"fields":{"name":1},"limit":500,"sort":{"name":1}}',
  }
  const headers = { 'x-account-id': accountId }
  return (await ask<readonly SetEntry[]>('GET', '/materials', { search, headers, signal })).data
}

/** Puts materials into a set, which is made first where it is a new one. */
export async function putIntoSet(
  ids: readonly string[],
  { set, accountId }: { readonly set: SetChoice; readonly accountId: string },
): Promise<void> {
  if (set === null || ids.length === 0) return
  const headers = { 'x-account-id': accountId }
  const _id = 'id' in set ? set.id : await newSet(set.name, headers)
  for (let at = 0; at < ids.length; at += MOST_TOGETHER) {
    const body = { ids: ids.slice(at, at + MOST_TOGETHER), change: { $addToSet: { inSet: { _id } } } }
    await ask('PATCH', '/materials', { body, headers })
  }
}

async function newSet(name: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const search = { query: JSON.stringify({ isEntitySet: true, name, 'owner._id': headers['x-account-id'] }) }
  const { data: there } = await ask<readonly SetEntry[]>('GET', '/materials', { search, headers })
  const [same] = there
  if (same !== undefined) return same._id
  const body = { name, entitySetType: 'unordered' }
  return (await ask<SetEntry>('PUT', '/materials/create-set', { body, headers })).data._id
}

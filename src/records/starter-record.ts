import { actorOf, type Session } from '../accounts/session.ts'
import { BoundedCache } from '../kernel/bounded-cache.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { AccountRow } from '../store/port/account-store.ts'
import type { RecordStore } from '../store/port/record-store.ts'
import { contentId } from './content-id.ts'
import type { RecordDeps } from './deps.ts'
import type { RecordKind } from './record-kind.ts'
import { named } from './work/draft.ts'

const REMEMBERED = 100_000

/** Accounts and collections that are known to have a default; a shortcut, so it may be forgotten. */
const prepared = new WeakMap<RecordStore, BoundedCache<true>>()

/**
 * Makes the record that every account has from the start, when the account first asks for the collection: so it is there for
 * accounts, too, that are older than the kind. An account always keeps a default once it has one.
 */
export async function ensureStarter(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  account: AccountRow,
): Promise<void> {
  if (kind.starter === undefined) return
  const known = prepared.get(deps.store) ?? new BoundedCache({ most: REMEMBERED })
  prepared.set(deps.store, known)
  const key = `${kind.collection} ${account.id}`
  if (known.get(key)) return
  const scope = { kind: 'account', accountId: account.id } as const
  if ((await deps.store.readDefault(kind.collection, scope, account.id)) === null) {
    await insertStarter(deps, kind, session, account, kind.starter())
  }
  known.set(key, true)
}

/** The id is fixed, so that of two first requests at a time only one makes the record; that one is as good as this. */
async function insertStarter(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  account: AccountRow,
  document: JsonObject,
): Promise<void> {
  const { collection } = kind
  const { user } = session
  const draft = { source: { document }, id: contentId('starter', collection, account.id) }
  const people = { account: named(account), user: named(user) }
  const terms = { collection, purpose: 'create', ...people, now: deps.clock(), isDefault: true } as const
  const made = await deps.work.prepareOne(user.id, draft, terms)
  if (!('ready' in made)) throw new Error(`the starter of ${collection} names an account`)
  const { id, text, isPublic } = made.ready
  const insert = { action: 'insert', collection, id, accountId: account.id, isPublic, isDefault: true, text } as const
  await deps.store.apply([insert], actorOf(session))
}

import { type AccountRow, NO_WORDS, type UserRow } from '../../src/store/port/account-store.ts'
import type { Change, ChangeResult } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'

const NAMES = ['Ada', 'Ærøskøbing', '😀 of \ud800 half', 'tab\tand\u007f', 'Bob']
const TEXTS = ['\u0000', '-0.0', '\ud83d', 'é', '"quoted\\"', '\u2028', 'x'.repeat(3000)]

/** The texts of documents as a store takes them: what JavaScript would write in another way stays as it is. */
const ODD = [
  '{"name":"zero","value":-0.0,"exact":1.50,"large":12345678901234567890}',
  '{ "spaces" : [ 1 , 2 ], "name":"spaced" }',
  `{"name":${JSON.stringify(TEXTS)},"":{"":null}}`,
  '{"name":"\\ud800 half","\\u0000":"\\u0000"}',
]

/** Accounts that have something: records of their own, some public, removed, changed, a default one. */
export const FURNISHED_ACCOUNTS = NAMES.map((_, at) => `account-${at}`)

/** Gives a store a bit of everything that there can be: `records` of each account in each of two collections, and what belongs to people. */
export async function furnish(store: Store, records = 40): Promise<void> {
  for (const [at, name] of NAMES.entries()) {
    await store.accounts.insertUser(userRow(at, name), accountRow(`account-${at}`, name, 'personal'))
  }
  await furnishPeople(store)
  for (const accountId of FURNISHED_ACCOUNTS) {
    for (const collection of ['materials', 'methods']) await furnishShelf(store, { collection, accountId }, records)
  }
  await store.answers.keep({
    accountId: 'account-1',
    key: 'digest',
    asked: 'this',
    answer: '{"data":null}',
    record: null,
    at: 5000,
  })
  await store.writeMark('samples', 'left out')
  await store.writeMark('edition', 'first')
}

async function furnishPeople({ accounts }: Store): Promise<void> {
  await accounts.insertAccount(accountRow('lab', 'The Lab', 'organization'), 'user-0')
  await accounts.putMember('lab', 'user-1', 'administrator')
  await accounts.putMember('lab', 'user-2', 'member')
  await accounts.passOwnership('lab', 'user-0', 'user-1')
  await accounts.setUserDisabled('user-4', 5000)
  for (const [at, kind] of (['api', 'session', 'api'] as const).entries()) {
    await accounts.insertToken({
      id: `token-${at}`,
      kind,
      name: `token ${at}`,
      hash: `${at}`.repeat(64),
      userId: 'user-1',
      accountId: at === 2 ? 'lab' : 'account-1',
      oneAccount: at === 2,
      readOnly: at === 0,
      createdAt: 1000 + at,
      lastUsedAt: at === 0 ? null : 2000,
      expiresAt: at === 1 ? 9000 : null,
      endedAt: null,
    })
  }
  await accounts.endToken('token-1', 8000)
  await accounts.countOn([{ key: 'digest', share: 1000.5, windowMs: 60_000 }], 1_000_000)
  await accounts.noteAddress('user-1', 'address', 7000)
}

interface Shelf {
  readonly collection: string
  readonly accountId: string
}

async function furnishShelf({ records }: Store, { collection, accountId }: Shelf, count: number): Promise<void> {
  const id = (at: number) => `${accountId}-${at}`
  const texts = Array.from(
    { length: count },
    (_, at) => ODD[at] ?? JSON.stringify({ name: `n${at}`, at, tags: [at % 3] }),
  )
  const inserted = texts.map((text, at): Change => {
    const rest = { isPublic: at % 4 === 0, isDefault: at === 1, ...(at % 2 === 0 ? {} : { note: `note ${at} \ud800` }) }
    return { action: 'insert', collection, id: id(at), accountId, text, ...rest }
  })
  const of = (at: number, expectedVersion: number) => ({ collection, id: id(at), accountId, expectedVersion })
  await done(records.applyEach(inserted))
  for (let version = 1; version < 5; version += 1) {
    const text = `{"name":"changed","version":${version}.0}`
    await done(
      records.apply([{ action: 'replace', ...of(4, version), isPublic: version % 2 === 0, text, note: 'again' }]),
    )
  }
  await done(
    records.applyEach([
      { action: 'remove', ...of(5, 1), note: 'gone' },
      { action: 'remove', ...of(8, 1) },
      { action: 'remove', ...of(9, 1) },
      { action: 'erase', ...of(10, 1) },
      { action: 'replace', ...of(11, 1), isPublic: true, text: '{"name":"published"}' },
    ]),
  )
  await done(
    records.applyEach([
      { action: 'restore', ...of(8, 1), isPublic: false, text: '{"name":"restored"}' },
      { action: 'purge', ...of(9, 1) },
      // The last number that was given out belongs to nobody.
      { action: 'insert', collection, id: 'last', accountId, isPublic: false, text: '{}' },
    ]),
  )
  await done(records.apply([{ action: 'erase', collection, id: 'last', accountId, expectedVersion: 1 }]))
}

async function done(results: Promise<readonly ChangeResult[]>): Promise<void> {
  for (const { outcome } of await results) if (outcome !== 'done') throw new Error(`a change is ${outcome}`)
}

function accountRow(id: string, name: string, type: AccountRow['type']): AccountRow {
  const words = type === 'personal' ? NO_WORDS : { title: 'Lab № 2 — “😀”', description: 'Two\nlines' }
  return { id, name, slug: id, type, email: type === 'personal' ? null : 'lab@example.org', createdAt: 1000, ...words }
}

function userRow(at: number, name: string): UserRow {
  return {
    id: `user-${at}`,
    name,
    slug: `user-${at}`,
    email: at % 2 === 0 ? null : `User${at}@Example.org`,
    passwordHash: `$argon2id$${at}`,
    defaultAccountId: `account-${at}`,
    createdAt: 1000 + at,
    disabledAt: null,
  }
}

import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { Change } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { insertion } from '../../test/support/plans.ts'
import { createRandom, type Random } from '../fuzz/random.ts'

/** Data directories that nothing has happened to. */
export interface Originals {
  /** Of a server that was stopped. */
  readonly stopped: string
  /** Of one that was killed: with its log, and the index of the log that processes share. */
  readonly killed: string
  /** The first of them some time before. */
  readonly earlier: string
  /** The second of them some time before. */
  readonly killedEarlier: string
}

export const MATERIALS = 2400
const USERS = 40
export const ACCOUNTS = ['account-0', 'account-1', 'account-2']
const SUFFIXES = ['', '-wal', '-shm']

/** Makes a store with some thousand records, users, tokens, versions and removed records, and copies it at four times. */
export async function makeOriginals(directory: string, seed: number): Promise<Originals> {
  const originals = {
    stopped: join(directory, 'stopped'),
    killed: join(directory, 'killed'),
    earlier: join(directory, 'earlier'),
    killedEarlier: join(directory, 'killed-earlier'),
  }
  const random = createRandom(seed)
  const data = join(directory, 'data')
  await inStore(data, async (store) => {
    await addUsers(store)
    await addRecords(store, random, 0, MATERIALS * 0.8)
  })
  takeCopy(data, originals.earlier)
  await inStore(data, async (store) => {
    await changeRecords(store, random)
    takeCopy(data, originals.killedEarlier)
    await addRecords(store, random, MATERIALS * 0.8, MATERIALS * 0.95)
  })
  await inStore(data, async (store) => {
    await addRecords(store, random, MATERIALS * 0.95, MATERIALS)
    await removeRecords(store)
    takeCopy(data, originals.killed)
  })
  takeCopy(data, originals.stopped)
  return originals
}

/** Copies a data directory, which need not be whole. */
export function takeCopy(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const suffix of SUFFIXES) {
    const name = DATABASE_FILE + suffix
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  }
}

/** So that some records are in segments, some in tails, and some rows are dead. */
const SEGMENT_SIZES = { tailRows: 64, mergedTogether: 4, takenOver: 2048 }

async function inStore(dataDirectory: string, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({ dataDirectory, segmentSizes: SEGMENT_SIZES })
  await use(store).finally(() => store.close())
}

async function addUsers({ accounts, audit }: Store): Promise<void> {
  for (let i = 0; i < USERS; i++) {
    const account = {
      id: `account-${i}`,
      name: `User ${i}`,
      slug: `user-${i}`,
      type: 'personal',
      email: null,
      createdAt: i,
      title: null,
      description: null,
    } as const
    const user = {
      id: `user-${i}`,
      name: `User ${i}`,
      slug: `user-${i}`,
      email: `user-${i}@example.org`,
      passwordHash: `$argon2id$${i}`.padEnd(90, 'h'),
      defaultAccountId: account.id,
      createdAt: i,
      disabledAt: i % 7 === 6 ? i : null,
    }
    await accounts.insertUser(user, account)
    const token = {
      id: `token-${i}`,
      kind: i % 2 === 0 ? 'api' : 'session',
      name: `Token ${i}`,
      hash: `hash-${i}`.padEnd(64, 'a'),
      userId: user.id,
      accountId: account.id,
      readOnly: i % 3 === 0,
      oneAccount: i % 4 === 0,
      createdAt: i,
      lastUsedAt: null,
      expiresAt: null,
      endedAt: null,
    } as const
    await accounts.insertToken(token)
    await accounts.noteAddress(user.id, `digest-${i}`, i)
    await accounts.countOn([{ key: `meter-${i}`, share: 1e9, windowMs: 1e12 }], i)
  }
  const group = {
    id: 'group',
    name: 'Group',
    slug: 'group',
    type: 'organization',
    email: null,
    createdAt: 1,
    title: 'The Group',
    description: 'Of all',
  } as const
  await accounts.insertAccount(group, 'user-0')
  for (let i = 1; i < USERS; i += 2) await accounts.putMember('group', `user-${i}`, 'member')
  await audit.note({ action: 'store.backed-up', kind: 'store', object: null })
}

/** The account that the records of a number belong to. */
const accountOf = (i: number): string => ACCOUNTS[i % ACCOUNTS.length] as string

async function addRecords(store: Store, random: Random, from: number, to: number): Promise<void> {
  const changes: Change[] = []
  for (let i = Math.round(from); i < Math.round(to); i++) {
    const owner = { accountId: accountOf(i), isPublic: i % 4 === 0 }
    changes.push(insertion('materials', `m${i}`, material(random, i), owner))
    if (i % 20 === 0) changes.push(insertion('methods', `t${i}`, { name: `method ${i}`, type: 'dft', i }, owner))
  }
  await store.records.applyEach(changes)
}

function material(random: Random, i: number): JsonObject {
  const element = random.pick(['Si', 'Ge', 'Fe', 'O', 'Ti', 'Na', 'Cl'])
  return {
    name: `${element} ${i}`,
    formula: `${element}${1 + (i % 5)}`,
    lattice: { a: 2 + random.integer(80_000) / 10_000, b: 3, type: random.pick(['CUB', 'FCC', 'HEX', 'TRI']) },
    basis: { elements: Array.from({ length: 1 + (i % 6) }, (_, id) => ({ id, value: element })) },
    tags: [`t${i % 11}`, `u${i % 3}`],
    converged: i % 2 === 0,
    ...(i % 5 === 0 ? { note: null } : {}),
    ...(i % 97 === 0 ? { description: 'a long text '.repeat(1000) } : {}),
  }
}

async function changeRecords(store: Store, random: Random): Promise<void> {
  for (let i = 0; i < 300; i += 3) {
    const text = JSON.stringify(material(random, i))
    const isPublic = i % 4 === 0
    await store.records.applyEach([
      {
        action: 'replace',
        collection: 'materials',
        id: `m${i}`,
        accountId: accountOf(i),
        expectedVersion: 1,
        isPublic,
        text,
      },
    ])
  }
}

async function removeRecords(store: Store): Promise<void> {
  await store.records.applyEach(
    Array.from({ length: 60 }, (_, i) => ({
      action: 'remove',
      collection: 'materials',
      id: `m${1000 + i}`,
      accountId: accountOf(1000 + i),
      expectedVersion: 1,
    })),
  )
}

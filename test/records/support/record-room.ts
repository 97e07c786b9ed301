import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '../../../src/accounts/session.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { SILENT_LOG } from '../../../src/kernel/log.ts'
import { systemRandom } from '../../../src/kernel/names.ts'
import type { ListRequest } from '../../../src/query/ast/list-request.ts'
import { parseFilter } from '../../../src/query/filter/parse-filter.ts'
import { FileLinks } from '../../../src/records/file-links.ts'
import { materialKind } from '../../../src/records/kinds/material/material-kind.ts'
import { methodKind } from '../../../src/records/kinds/plain-kinds.ts'
import type { Collection, RecordDeps } from '../../../src/records/work/deps.ts'
import { RecordThreads, type RecordThreadsOptions } from '../../../src/records/work/record-threads.ts'
import { DirectoryFiles } from '../../../src/store/files/directory-files.ts'
import type { AccountRow } from '../../../src/store/port/account-store.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'

/** The time at which everything in these tests begins. */
export const START = Date.parse('2024-05-06T07:08:09.010Z')

/** The room, without symmetry, over a real store with three users: ada, who is also in the organization `lab`, bob, and ada's read-only token. */
export interface RecordRoom {
  readonly deps: RecordDeps
  readonly store: Store
  readonly ada: Session
  readonly bob: Session
  readonly reader: Session
  readonly lab: AccountRow
  /** The same store, with another way of making records. */
  depsWith(options: RecordThreadsOptions): RecordDeps
  /** The materials as somebody has them; with another way of making records, where one is given. */
  materials(session: Session, deps?: RecordDeps): Collection
  methods(session: Session): Collection
  /** Lets time pass. */
  wait(milliseconds: number): void
  close(): Promise<void>
}

export async function openRecordRoom(): Promise<RecordRoom> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-records-'))
  const store = await openSqliteStore({ dataDirectory, readerThreads: 1 })
  const works: RecordThreads[] = []
  const workWith = (options: RecordThreadsOptions) => {
    const work = new RecordThreads({ threads: 1, ...options })
    works.push(work)
    return work
  }
  const ada = await addUser(store, 'ada')
  const bob = await addUser(store, 'bob')
  const lab: AccountRow = {
    id: 'Lab34567890abcdef',
    name: 'lab',
    slug: 'lab',
    type: 'organization',
    email: null,
    createdAt: START,
    title: null,
    description: null,
  }
  await store.accounts.insertAccount(lab, ada.user.id)
  let now = START
  const outside = {
    store: store.records,
    links: new FileLinks('a key of tests', () => now),
    files: new DirectoryFiles(join(dataDirectory, 'files')),
    accounts: store.accounts,
    log: SILENT_LOG,
    clock: () => now,
    random: systemRandom,
  }
  const plain = { ...outside, work: workWith({ symmetry: null }) }
  return {
    deps: plain,
    materials: (session, deps = plain) => ({ deps, kind: materialKind, session }),
    methods: (session) => ({ deps: plain, kind: methodKind, session }),
    depsWith: (options) => ({ ...outside, work: workWith(options) }),
    store,
    ada,
    bob,
    reader: { ...ada, readOnly: true },
    lab,
    wait: (milliseconds) => {
      now += milliseconds
    },
    close: async () => {
      await Promise.all(works.map((work) => work.close()))
      await store.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function addUser(store: Store, name: string): Promise<Session> {
  const account: AccountRow = {
    id: `Account-of-${name}`,
    name,
    slug: name,
    type: 'personal',
    email: null,
    createdAt: START,
    title: null,
    description: null,
  }
  const user = { id: `User-${name}`, name, slug: name, email: null }
  const row = { ...user, passwordHash: 'none', defaultAccountId: account.id, createdAt: START, disabledAt: null }
  await store.accounts.insertUser(row, account)
  return {
    user,
    account,
    role: 'owner',
    token: { id: `token-of-${name}`, kind: 'api', oneAccount: false },
    readOnly: false,
    endsAt: Number.POSITIVE_INFINITY,
    scope: { kind: 'account', accountId: account.id },
    origin: { via: 'http', address: '127.0.0.1', request: `request-of-${name}` },
  }
}

/** What a client sends of silicon. */
export const SILICON: JsonObject = {
  name: 'Silicon FCC',
  basis: {
    elements: [
      { id: 1, value: 'Si' },
      { id: 2, value: 'Si' },
    ],
    coordinates: [
      { id: 1, value: [0, 0, 0] },
      { id: 2, value: [0.25, 0.25, 0.25] },
    ],
    units: 'crystal',
    name: 'basis',
  },
  lattice: { type: 'FCC', a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 },
}

/** Silicon with other fields; `undefined` removes one. */
export function silicon(changes: { readonly [field: string]: Json | undefined } = {}): JsonObject {
  return JSON.parse(JSON.stringify({ ...SILICON, ...changes }))
}

export function request(filter: Json = {}, limit = 50): ListRequest {
  return { filter: parseFilter(filter), sort: [], fields: null, skip: 0, limit }
}

/** Parses the text of a record. */
export function documentOf(record: { readonly text: string }): Record<string, Json> {
  return JSON.parse(record.text)
}

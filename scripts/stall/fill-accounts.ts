import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { documentMaker } from '../../bench/corpus/documents.ts'
import { readPrototypes } from '../../bench/corpus/prototypes.ts'
import { newId } from '../../src/kernel/names.ts'
import type { AccountStore } from '../../src/store/port/account-store.ts'
import type { Change } from '../../src/store/port/record-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

/** What is filled in. */
export interface Fill {
  readonly documents: number
  readonly accounts: number
  /** Whether all accounts have as many; otherwise the first one has half, and a third of all are public. */
  readonly isEven: boolean
}

/** Whose records are read, and some of them. */
export interface Filled {
  readonly headers: Readonly<Record<string, string>>
  readonly ids: readonly string[]
}

const BATCH = 500
const SEED = 42
/** Records that are read in turn. */
const READ = 500
/** Of so many records one is without symmetry, which the server seeks by itself. */
const WITHOUT_SYMMETRY = 50

/** Fills a new data directory through the store's own port. */
export async function fillAccounts(data: string, { documents, accounts, isEven }: Fill): Promise<Filled> {
  mkdirSync(data, { recursive: true })
  const store = await openSqliteStore({ dataDirectory: data })
  const owners = Array.from({ length: accounts }, (_, at) => ({
    accountId: newId(),
    userId: newId(),
    name: `lab-${at}`,
  }))
  for (const owner of owners) await insertOwner(store.accounts, owner)
  const [first] = owners
  if (first === undefined) throw new Error('there is no account')
  const secret = await insertToken(store.accounts, first)
  // A server that finds no mark fills the bank at its first start, which is no part of what is measured.
  await store.writeMark('bank', new Date(0).toISOString())
  const { record } = documentMaker({ seed: SEED, prototypes: readPrototypes() })
  const ids: string[] = []
  let batch: Change[] = []
  const send = async () => {
    const results = await store.records.applyEach(batch)
    if (results.some(({ outcome }) => outcome !== 'done')) throw new Error('the store did not take all documents')
    batch = []
  }
  for (let serial = 0; serial < documents; serial += 1) {
    const { id, isPublic, text } = await record(serial)
    const { accountId } = isEven
      ? ownerAt(owners, serial)
      : serial % 2 === 0
        ? first
        : ownerAt(owners.slice(1), serial >> 1)
    batch.push({
      action: 'insert',
      collection: 'materials',
      id,
      accountId,
      isPublic: !isEven && isPublic,
      text,
      ...(serial % WITHOUT_SYMMETRY === 0 ? { gaveUpMs: 0 } : {}),
    })
    if (accountId === first.accountId && ids.length < READ) ids.push(id)
    if (batch.length === BATCH) await send()
  }
  if (batch.length > 0) await send()
  await store.close()
  return { headers: { 'X-Account-Id': first.accountId, 'X-Auth-Token': secret }, ids }
}

function ownerAt(owners: readonly Owner[], serial: number): Owner {
  return owners[serial % owners.length] as Owner
}

interface Owner {
  readonly accountId: string
  readonly userId: string
  readonly name: string
}

/** The passwords match nothing: nobody logs in. */
async function insertOwner(accounts: AccountStore, { accountId, userId, name }: Owner): Promise<void> {
  const createdAt = Date.now()
  const common = { name, slug: name, email: null, createdAt }
  await accounts.insertUser(
    { id: userId, ...common, passwordHash: '', defaultAccountId: accountId, disabledAt: null },
    { id: accountId, ...common, type: 'personal', title: null, description: null },
  )
}

async function insertToken(accounts: AccountStore, { accountId, userId }: Owner): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await accounts.insertToken({
    id: newId(),
    kind: 'api',
    name: 'stall',
    hash: createHash('sha256').update(secret).digest('hex'),
    userId,
    accountId,
    oneAccount: false,
    readOnly: false,
    createdAt: Date.now(),
    lastUsedAt: null,
    expiresAt: null,
    endedAt: null,
  })
  return secret
}

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { writtenKilobytes } from '../load/process-figures.ts'
import { type Owner, ownersOf } from './accounts.ts'
import type { FilledStore } from './data-set.ts'
import { splitLine } from './documents.ts'
import { readLines } from './expected.ts'

/** How many records are given to the store at once, and how many such batches may be under way. */
const BATCH = 500
const UNDER_WAY = 8

const [file = '', place = '', seed = '', most = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await fill(file, place, Number(seed), Number(most))))

/** A new store: in a database, or in a data directory. */
async function openStore(place: string): Promise<Store> {
  if (place.startsWith('postgres:')) {
    return openPostgresStore({ url: place })
  }
  mkdirSync(place, { recursive: true })
  return openSqliteStore({ dataDirectory: place })
}

/** Fills a new store through its own port: owners, one token, and the first records of a data set. */
async function fill(file: string, place: string, seed: number, most: number): Promise<FilledStore> {
  const store = await openStore(place)
  const owners = ownersOf(seed)
  for (const owner of owners) await insertOwner(store, owner)
  const secret = await insertToken(store, owners[0])
  // A server that finds no mark fills the bank at its first start: that is no part of what is measured.
  await store.writeMark('bank', new Date(0).toISOString())
  const [started, cpu, written] = [performance.now(), process.cpuUsage(), writtenKilobytes(process.pid)]
  const { documents, bytes } = await insertRecords(store, file, most)
  const seconds = (performance.now() - started) / 1000
  await store.close()
  const { user, system } = process.cpuUsage(cpu)
  return {
    credentials: { 'X-Account-Id': owners[0].accountId, 'X-Auth-Token': secret },
    load: {
      documents,
      documentsPerSecond: documents / seconds,
      cpuMicros: (user + system) / documents,
      writtenKilobytes: (writtenKilobytes(process.pid) - written) / documents,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
      fileMegabytes: existsSync(place) ? sizeOf(place) / 2 ** 20 : 0,
      meanBytes: bytes / documents,
    },
  }
}

async function insertRecords(store: Store, file: string, most: number): Promise<{ documents: number; bytes: number }> {
  let [documents, bytes] = [0, 0]
  let batch: Change[] = []
  const underWay: Promise<void>[] = []
  const send = async (): Promise<void> => {
    if (underWay.length >= UNDER_WAY) await underWay.shift()
    underWay.push(applyBatch(store, batch))
    batch = []
  }
  for await (const line of readLines(file)) {
    const { id, accountId, isPublic, text } = splitLine(line)
    batch.push({ action: 'insert', collection: 'materials', id, accountId, isPublic, text })
    documents += 1
    bytes += Buffer.byteLength(text)
    if (batch.length === BATCH) await send()
    if (documents === most) break
  }
  await send()
  await Promise.all(underWay)
  return { documents, bytes }
}

async function applyBatch(store: Store, batch: readonly Change[]): Promise<void> {
  const results = await store.records.applyEach(batch)
  const failed = results.find(({ outcome }) => outcome !== 'done')
  if (failed !== undefined) throw new Error(`the store answered "${failed.outcome}" to an insert`)
}

/** The owners' passwords match nothing: nobody logs in to a benchmark. */
async function insertOwner(store: Store, { accountId, userId, name }: Owner): Promise<void> {
  const createdAt = Date.now()
  await store.accounts.insertUser(
    {
      id: userId,
      name,
      slug: name,
      email: null,
      passwordHash: '',
      defaultAccountId: accountId,
      createdAt,
      disabledAt: null,
    },
    { id: accountId, name, slug: name, type: 'personal', email: null, createdAt },
  )
}

async function insertToken(store: Store, { accountId, userId }: Owner): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await store.accounts.insertToken({
    id: 'bench',
    kind: 'api',
    name: 'bench',
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

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

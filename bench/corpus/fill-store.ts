import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/kernel/names.ts'
import type { Change } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { writtenKilobytes } from '../load/process-figures.ts'
import { settle } from '../load/settle.ts'
import type { Credentials } from '../servers/quarry.ts'
import { type Owner, ownersOf } from './accounts.ts'
import type { FilledStore, Filling, Homes } from './data-set.ts'
import { type GeneratedRecord, splitLine } from './documents.ts'
import { readLines } from './expected.ts'

/** How many records are given to the store at once, and how many such batches may be under way. */
const BATCH = 500
const UNDER_WAY = 8

/** How many records of the first owner are told by their ids. */
const TOLD = 200

const [file = '', place = '', wanted = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await fill(file, place, JSON.parse(wanted) as Filling)))

/** A new store: in a database, or in a data directory. */
async function openStore(place: string): Promise<Store> {
  if (place.startsWith('postgres:')) {
    return openPostgresStore({ url: place })
  }
  mkdirSync(place, { recursive: true })
  return openSqliteStore({ dataDirectory: place })
}

/** Fills a new store through its own port: owners, the token of the first one or of all, and as many records as wanted. */
async function fill(file: string, place: string, { seed, most, homes }: Filling): Promise<FilledStore> {
  const store = await openStore(place)
  const owners = ownersOf(seed, homes?.others)
  const credentials: Credentials[] = []
  for (const owner of owners) {
    await insertOwner(store, owner)
    if (homes === undefined && credentials.length > 0) continue
    credentials.push({ 'X-Account-Id': owner.accountId, 'X-Auth-Token': await insertToken(store, owner) })
  }
  // A server that finds no mark fills the bank at its first start: that is no part of what is measured.
  await store.writeMark('bank', new Date(0).toISOString())
  // Its threads start meanwhile, from sources that are compiled: that is none of it, either.
  await settle([process.pid])
  const [started, cpu, written] = [performance.now(), process.cpuUsage(), writtenKilobytes(process.pid)]
  const lines = homes === undefined ? recordsOf(file) : recordsInHomes(file, owners, homes)
  const { documents, bytes, ids } = await insertRecords(store, lines, { most, owner: owners[0] })
  const seconds = (performance.now() - started) / 1000
  await store.close()
  const { user, system } = process.cpuUsage(cpu)
  const [own, ...others] = credentials
  if (own === undefined) throw new Error('there is no owner')
  return {
    credentials: own,
    others,
    ids,
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

async function* recordsOf(file: string): AsyncGenerator<GeneratedRecord> {
  for await (const line of readLines(file)) yield splitLine(line)
}

/** The records of a data set, over and over, with other owners: none is public. Each time they have other ids. */
async function* recordsInHomes(
  file: string,
  [first, ...others]: readonly [Owner, ...Owner[]],
  { each }: Homes,
): AsyncGenerator<GeneratedRecord> {
  let count = 0
  for (let pass = 0; ; pass += 1) {
    for await (const { id, text } of recordsOf(file)) {
      const owner = count < others.length * each ? others[count % others.length] : first
      const own = id.slice(pass) + id.slice(0, pass)
      yield { id: own, accountId: (owner ?? first).accountId, isPublic: false, text: text.replaceAll(id, own) }
      count += 1
    }
  }
}

async function insertRecords(
  store: Store,
  records: AsyncIterable<GeneratedRecord>,
  { most, owner }: { readonly most: number; readonly owner: Owner },
): Promise<{ documents: number; bytes: number; ids: readonly string[] }> {
  let [documents, bytes] = [0, 0]
  let batch: Change[] = []
  const ids: string[] = []
  const underWay: Promise<void>[] = []
  const send = async (): Promise<void> => {
    if (underWay.length >= UNDER_WAY) await underWay.shift()
    underWay.push(applyBatch(store, batch))
    batch = []
  }
  for await (const { id, accountId, isPublic, text } of records) {
    batch.push({ action: 'insert', collection: 'materials', id, accountId, isPublic, text })
    documents += 1
    bytes += Buffer.byteLength(text)
    if (accountId === owner.accountId && ids.length < TOLD) ids.push(id)
    if (batch.length === BATCH) await send()
    if (documents === most) break
  }
  await send()
  await Promise.all(underWay)
  return { documents, bytes, ids }
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
    { id: accountId, name, slug: name, type: 'personal', email: null, createdAt, title: null, description: null },
  )
}

async function insertToken(store: Store, { accountId, userId }: Owner): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await store.accounts.insertToken({
    id: newId(),
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

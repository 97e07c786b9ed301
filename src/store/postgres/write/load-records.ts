import type { Usage } from '../../limits.ts'
import type { Change } from '../../port/record-store.ts'
import { PUBLIC_HOME, type Transaction } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'
import { type LoadedRecord, LoadedRecords, type Removed } from './loaded-records.ts'

/** A home whose lock is held. */
export interface LockedHome extends Usage {
  readonly home: string
  readonly changes: number
}

/** Locks homes, in an order that is the same for all, and makes missing ones. Numbers are drawn under the locks: a home commits in their order. */
export async function lockHomes(sql: Transaction, homes: readonly string[]): Promise<readonly LockedHome[]> {
  const lock = () =>
    ofEachHome(
      homes,
      (home) => sql<LockedHome[]>`SELECT home, changes, records, bytes FROM home WHERE home = ${home} FOR UPDATE`,
    )
  const locked = await lock()
  if (locked.length === homes.length) return locked
  await sql`
    INSERT INTO home (home, number, changes, layout, records, bytes)
    SELECT asked.home, nextval('home_number'), 0, 0, 0, 0 FROM unnest(${homes as string[]}::text[]) asked (home)
    ON CONFLICT DO NOTHING`
  return lock()
}

/** The ids that some changes are about, by collection and account. */
interface RecordIds {
  readonly collection: string
  readonly owner: string
  readonly ids: string[]
}

/** Reads all that some changes look at; the locks of their accounts' homes are held. */
export async function loadRecords(
  sql: Transaction,
  changes: readonly Change[],
  usage: ReadonlyMap<string, Usage>,
): Promise<LoadedRecords> {
  const [records, removed, defaults, numbers] = await Promise.all([
    flatten(addressedBy(changes).map((addressed) => readRecords(sql, addressed))),
    flatten(addressedBy(changes.filter(({ action }) => OF_REMOVED.has(action))).map((each) => readRemoved(sql, each))),
    flatten(addressedBy(changes.filter(isToBeDefault)).map((addressed) => readDefaults(sql, addressed))),
    drawNumbers(sql, changes.filter(({ action }) => action === 'insert').length),
  ])
  return new LoadedRecords({ records: unique(records), removed, defaults, usage, numbers })
}

const OF_REMOVED: ReadonlySet<Change['action']> = new Set(['remove', 'restore', 'purge'])

function isToBeDefault(change: Change): boolean {
  return 'isDefault' in change && change.isDefault === true
}

async function flatten<T>(lists: readonly Promise<readonly T[]>[]): Promise<readonly T[]> {
  return (await Promise.all(lists)).flat()
}

function addressedBy(changes: readonly Change[]): readonly RecordIds[] {
  const found = new Map<string, RecordIds>()
  for (const { collection, accountId: owner, id } of changes) {
    const key = JSON.stringify([collection, owner])
    const addressed = found.get(key)
    if (addressed === undefined) found.set(key, { collection, owner, ids: [id] })
    else addressed.ids.push(id)
  }
  return [...found.values()]
}

/** Public records with an id come along, whoever has them. */
async function readRecords(sql: Transaction, { collection, owner, ids }: RecordIds): Promise<readonly LoadedRecord[]> {
  return ofEachHome(
    [owner, PUBLIC_HOME],
    (home) => sql<LoadedRecord[]>`
      SELECT found.* FROM unnest(${[...new Set(ids)]}::text[]) asked (id) CROSS JOIN LATERAL (
        SELECT n, collection, home AS scope, owner, id, version, is_default::integer, doc, note, gave_up_ms FROM record
        WHERE home = ${home} AND collection = ${collection} AND record.id BETWEEN asked.id AND asked.id ORDER BY record.id LIMIT 1
      ) found`,
  )
}

/** A public record may have been asked for in the name of several accounts. */
function unique(rows: readonly LoadedRecord[]): readonly LoadedRecord[] {
  return [...new Map(rows.map((row) => [row.n, row])).values()]
}

async function readRemoved(sql: Transaction, { collection, owner, ids }: RecordIds): Promise<readonly Removed[]> {
  return sql<Removed[]>`
    SELECT found.* FROM unnest(${[...new Set(ids)]}::text[]) asked (id) CROSS JOIN LATERAL (
      SELECT n, collection, home AS owner, id, version, is_public::integer, doc, note, removal FROM removed
      WHERE home = ${owner} AND collection = ${collection} AND removed.id = asked.id LIMIT 1
    ) found`
}

async function readDefaults(sql: Transaction, { collection, owner }: RecordIds) {
  return ofEachHome(
    [owner, PUBLIC_HOME],
    (home) => sql<{ collection: string; owner: string }[]>`
      SELECT collection, owner FROM record
      WHERE home = ${home} AND collection = ${collection} AND owner = ${owner} AND is_default LIMIT 1`,
  )
}

async function drawNumbers(sql: Transaction, count: number): Promise<readonly number[]> {
  if (count === 0) return []
  const rows = await sql<{ n: number }[]>`SELECT nextval('record_number') AS n FROM generate_series(1, ${count})`
  return rows.map(({ n }) => n)
}

import { storedBytes } from '../../port/named-files.ts'
import { ROW_KINDS, type Row, type RowKindName, type Value } from '../../port/rows.ts'
import { PUBLIC_HOME, type Transaction } from '../base/database.ts'
import { GIVEN, insertionInto, SMALL_TABLES, SPREAD_TABLES } from './tables.ts'

/** Tables whose rows go where all that there is, is replaced; the others keep what they have, or are written anew. */
export const REPLACED = [
  'record',
  'tail',
  'segment',
  'chunk',
  'revision',
  'removed',
  'audit',
  'answer',
  'membership',
  'token',
  'login_meter',
  'known_address',
  'app_user',
  'account',
  'mark',
  'writer',
]

/** Further columns of a kind, as expressions. */
const MORE: Readonly<Partial<Record<RowKindName, Readonly<Record<string, string>>>>> = {
  record: { stamp: '1' },
  audit: { home: `coalesce(account, '${PUBLIC_HOME}')` },
}

export async function putRows(sql: Transaction, kind: RowKindName, rows: readonly Row[]): Promise<void> {
  if (kind === 'usage') return
  if (kind === 'key') await sql`UPDATE number_key SET key = decode(${String(rows[0]?.[0])}, 'base64')`
  else if (kind === 'given') for (const [what, last] of rows) await setGiven(sql, String(what), Number(last))
  else {
    const table = { ...SMALL_TABLES, ...SPREAD_TABLES }[kind]
    const columns = table.columns.map((_, at) => rows.map((row) => row[at] ?? null))
    await sql.unsafe(insertionInto(table, MORE[kind]), columns as never[], { prepare: true })
  }
  if (kind === 'record' || kind === 'removed') await addUsage(sql, kind, rows)
  // Lines of the audit are numbered on behind the last one.
  if (kind === 'audit') await sql`SELECT setval('audit_number', ${Number(rows.at(-1)?.[0])})`
}

async function setGiven(sql: Transaction, what: string, last: number): Promise<void> {
  const sequence = GIVEN.find(([name]) => name === what)?.[1]
  if (sequence !== undefined) await sql`SELECT setval(${sequence}::regclass, ${Math.max(1, last)}, ${last > 0})`
}

/** Quotas count records and removed ones in the home of their account. */
async function addUsage(sql: Transaction, kind: 'record' | 'removed', rows: readonly Row[]): Promise<void> {
  const columns: readonly string[] = ROW_KINDS[kind].columns
  const [ofAccount, ofDoc] = [columns.indexOf('account'), columns.indexOf('doc')]
  const used = new Map<Value, { records: number; bytes: number }>()
  for (const row of rows) {
    const account = row[ofAccount] ?? null
    const { records, bytes } = used.get(account) ?? { records: 0, bytes: 0 }
    used.set(account, { records: records + 1, bytes: bytes + storedBytes(String(row[ofDoc])) })
  }
  const accounts = [...used.keys()].map(String)
  await sql`
    INSERT INTO home (home, number, changes, layout, records, bytes)
    SELECT asked.home, nextval('home_number'), 1, 0, 0, 0 FROM unnest(${accounts}::text[]) asked (home)
    ON CONFLICT DO NOTHING`
  for (const [account, { records, bytes }] of used) {
    await sql`UPDATE home SET records = records + ${records}, bytes = bytes + ${bytes} WHERE home = ${account as string}`
  }
}

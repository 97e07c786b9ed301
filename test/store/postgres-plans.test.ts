import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type DatabaseOptions, disconnect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { readSlice } from '../../src/store/postgres/read/export-slice.ts'
import { accountScope, OPERATOR, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'
import { doAgain, doEverything, inOneLine, writtenStatements } from './postgres-statements.ts'

const reason = missingPostgres()
const RECORDS = 100_000
const HOMES = 20

/** Rows of the size that records have, in tables that no store reads: what counts is how many there are. */
const FILL = `
  INSERT INTO home SELECT 'home' || g, 100 + g, 1, 1, 0, 0 FROM generate_series(1, ${HOMES}) g;
  INSERT INTO record SELECT 'home' || g % ${HOMES}, 'c', 1000000 + g, 'id' || g, 'home' || g % ${HOMES}, 1, 1, g < ${HOMES}, repeat('x', 100), null, null
    FROM generate_series(1, ${RECORDS}) g;
  INSERT INTO tail SELECT 'home' || g % ${HOMES}, 'c', g, 1000000 + g FROM generate_series(1, ${RECORDS / 10}) g;
  INSERT INTO segment SELECT 'home' || g % ${HOMES}, 'c', 1000000 + g, 10, 0, g, g, '{}', '' FROM generate_series(1, ${RECORDS / 20}) g;
  INSERT INTO chunk SELECT 'home' || g % ${HOMES}, 1000000 + g / 10, g % 10, '\\x00' FROM generate_series(1, ${RECORDS}) g;
  INSERT INTO revision SELECT 'home' || g % ${HOMES}, 1000000 + g / 4, g % 4, 'x', null FROM generate_series(1, ${RECORDS}) g;
  INSERT INTO removed SELECT 'home' || g % ${HOMES}, 'c', 'r' || g, 1000000 + g, 1000000 + g, 1, false, 'x', null, null FROM generate_series(1, ${RECORDS}) g;
  INSERT INTO audit SELECT 'home' || g % ${HOMES}, 1000000 + g, g, 'record.created', 'http', null, null, null, null, 'c', 'x', 1, null FROM generate_series(1, ${RECORDS}) g;
  INSERT INTO answer SELECT 'home' || g % ${HOMES}, 'k' || g, 1000000 + g, 1, 1, '', '', null, 'x' || g FROM generate_series(1, ${RECORDS}) g;
  INSERT INTO writer SELECT 'home' || g % ${HOMES}, 'w' || g, 1, now() FROM generate_series(1, 2000) g;
`
/** On a slow machine the server would look at the tables while they have a few rows, and plan for those. */
const NEVER_ANALYZED = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
    LOOP EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', name); END LOOP;
  END $$;
`
const LARGE = new Set(['record', 'tail', 'segment', 'chunk', 'revision', 'removed', 'audit', 'answer'])

/** What goes through whole tables because that is what it is for; each with its reason. */
const WHOLE: readonly (readonly [part: string, reason: string])[] = [
  ['SELECT home, collection FROM record UNION', 'reindex goes over all shelves'],
  [
    'SELECT id, version, removal FROM removed WHERE collection = $1',
    'only an operator asks what was removed from all accounts',
  ],
  ['FROM audit LEFT JOIN', 'the audit is read by an operator, by any condition'],
  ['SELECT count(*) AS total FROM record', 'check looks at all records'],
  ['SELECT DISTINCT home, collection FROM', 'check and reindex go over all shelves'],
]

/** What finds rows by the first columns of a key and looks at those, which are few; each with what bounds them. */
const LOOKED_AT: readonly (readonly [part: string, reason: string])[] = [
  ['DELETE FROM audit USING', 'a number is of one line, whatever its home'],
  ['FROM answer WHERE home', 'an account has 10,000 answers at the most'],
  ['SELECT number FROM segment WHERE home', 'a collection of a home has some dozens of segments'],
  ['AND n > $2 AND gave_up_ms < $3', 'the index has no records but those of which something was given up'],
]

/** What does so while there are no statistics: a list of numbers is then not worth several searches to the planner. */
const LOOKED_AT_FIRST: readonly (readonly [part: string, reason: string])[] = [
  [
    'FROM segment WHERE home = $1 AND collection = $2 AND number = ANY',
    'a collection of a home has some dozens of segments',
  ],
  ['FROM chunk WHERE home = $1 AND segment = ANY', 'so few segments have some thousand chunks, whose bytes lie apart'],
]

/** What none of what is done here sends: by its file, or by how it begins; each with its reason. */
const UNMET: readonly (readonly [part: string, reason: string])[] = [
  ['rows/', 'a move and a backup read and write whole tables in the order of their keys'],
  ['schema/', 'sent at the opening, of tables that are small or new'],
  [
    'care/listed-files.ts',
    'a backup and a check read all texts, over a connection of their own: test/cli/files-on-postgres.test.ts',
  ],
  ['read/named-files.ts', 'the collection of files reads all texts, with a cursor: the contract of record stores'],
  [
    'write/commits.ts: SELECT commits FROM writer',
    'sent when a connection is lost while it commits: test/store/postgres-commits.test.ts',
  ],
]

describe.skipIf(reason !== null)(`statements on PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let sql: Sql
  const sent = new Set<string>()

  beforeAll(async () => {
    server = await startPostgres()
    database = await server.create()
    sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
    await sql.unsafe(NEVER_ANALYZED)
    const options = {
      url: database.url,
      segmentSizes: { tailRows: 8, mergedTogether: 3, takenOver: 16, insertedTogether: 20 },
      audit: { days: 1, rows: 1 },
      onStatement: (text: string) => void sent.add(inOneLine(text).trim()),
    }
    const store = await openPostgresStore(options)
    await doEverything(store)
    await store.close()
    // Whoever opens it again knows nothing, and finds the audit too long.
    const again = await openPostgresStore(options)
    await doAgain(again)
    await again.close()
    await readOnThreads(options)
    await sql.unsafe(FILL)
  })
  afterAll(async () => {
    await disconnect(sql)
    await database.drop()
    await server.stop()
  })

  /** What is sent on reader threads, where nobody can listen. */
  async function readOnThreads(options: Pick<DatabaseOptions, 'url' | 'onStatement'>): Promise<void> {
    const heard = connect({ ...options, connections: 1, statementTimeoutMs: 0 })
    const from = { numbers: Float64Array.of(1), state: new Map() }
    for (const scope of [OPERATOR, accountScope('ada')])
      await readSlice({ sql: heard }, planOf('c', {}, {}, scope), from)
    await disconnect(heard)
  }

  it('are all met, or named with a reason', () => {
    const unmet = writtenStatements().filter(({ pattern }) => !Array.from(sent).some((text) => pattern.test(text)))
    const names = unmet.map(({ file, text }) => `${file}: ${text}`)
    expect(names.filter((name) => !UNMET.some(([part]) => name.startsWith(part)))).toEqual([])
    expect(UNMET.filter(([part]) => !names.some((name) => name.startsWith(part)))).toEqual([])
  })

  // Without statistics, as in the first minutes of a database, the planner cannot tell how few rows the beginning of an index finds.
  it.each(['no statistics', 'statistics'])('find by their keys what they are about, with %s', async (which) => {
    if (which === 'statistics') await sql.unsafe('ANALYZE')
    const lookedAt = which === 'statistics' ? LOOKED_AT : [...LOOKED_AT, ...LOOKED_AT_FIRST]
    const found: string[] = []
    for (const text of sent) {
      if (!/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text) || WHOLE.some(([part]) => text.includes(part))) continue
      const wide = await scansOf(text, !lookedAt.some(([part]) => text.includes(part)))
      if (wide.length > 0) found.push(`${wide.join(', ')}: ${text.slice(0, 200)}`)
    }
    expect(found).toEqual([])
  })

  /** The large tables of which a statement would read more than it is about, whatever it is given. */
  async function scansOf(text: string, isExact: boolean): Promise<readonly string[]> {
    const most = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
    await sql.unsafe('SET plan_cache_mode = force_generic_plan')
    await sql.unsafe(`PREPARE asked AS ${text}`)
    const given = most === 0 ? '' : `(${Array.from({ length: most }, () => 'NULL').join(', ')})`
    const [row] = await sql.unsafe(`EXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE asked${given}`)
    await sql.unsafe('DEALLOCATE asked')
    return nodesOf((row as unknown as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan)
      .filter((node) => LARGE.has(node['Relation Name'] ?? ''))
      .filter((node) => node['Node Type'] === 'Seq Scan' || (isExact && node.Filter !== undefined))
      .map((node) => node['Relation Name'] ?? '')
  }
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  /** A condition that no index decides. */
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

import { ListedFiles, type ListingRow } from '../../port/named-files.ts'
import { connect, disconnect, IN_ONE_STATE, type Transaction, transact } from '../base/database.ts'
import { openFault } from '../base/faults.ts'

const ROWS_TOGETHER = 100

/** Reads which contents the records of a database list, with their earlier versions, and removed ones. */
export async function readListedFiles(url: string): Promise<ListedFiles> {
  const sql = connect({ url, connections: 1, statementTimeoutMs: 0 })
  try {
    return await transact(sql, gather, IN_ONE_STATE)
  } catch (error) {
    throw openFault(error)
  } finally {
    await disconnect(sql)
  }
}

async function gather(sql: Transaction): Promise<ListedFiles> {
  const listed = new ListedFiles()
  const take = async (rows: AsyncIterable<readonly ListingRow[]>): Promise<void> => {
    for await (const some of rows) for (const row of some) listed.add(row)
  }
  const homes = await sql<{ home: string }[]>`SELECT home FROM home`
  for (const { home } of homes) {
    await take(
      sql<ListingRow[]>`
        SELECT id, collection, NULL::integer AS version, false AS "isRemoved", doc
        FROM record WHERE home = ${home} AND strpos(doc, '"sha256":') > 0`.cursor(ROWS_TOGETHER),
    )
    await take(
      sql<ListingRow[]>`
        SELECT id, collection, NULL::integer AS version, true AS "isRemoved", doc
        FROM removed WHERE home = ${home} AND strpos(doc, '"sha256":') > 0`.cursor(ROWS_TOGETHER),
    )
  }
  for (const { home } of homes) await take(earlierVersions(sql, home))
  return listed
}

/** Of a public record they are in the home of its account, and it is not: such a one is told of without its id. */
function earlierVersions(sql: Transaction, home: string): AsyncIterable<readonly ListingRow[]> {
  return sql<ListingRow[]>`
    SELECT coalesce(record.id, removed.id) AS id, coalesce(record.collection, removed.collection) AS collection,
      revision.version, removed.n IS NOT NULL AS "isRemoved", revision.doc
    FROM revision LEFT JOIN record ON record.home = revision.home AND record.n = revision.n
      LEFT JOIN removed ON removed.home = revision.home AND removed.n = revision.n
    WHERE revision.home = ${home} AND strpos(revision.doc, '"sha256":') > 0`.cursor(ROWS_TOGETHER)
}

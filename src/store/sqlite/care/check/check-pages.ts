import Database from 'better-sqlite3'
import type { Connection } from '../../base/database.ts'
import { migrate } from '../../schema/migrate.ts'
import { type Findings, readFault } from './findings.ts'

/** Tables and indexes of a database with their columns, as text to be compared. */
export type SchemaShape = ReadonlyMap<string, string>

/** The shape that the migrations make, up to a version. */
export function expectedShape(version: number): SchemaShape {
  const connection = new Database(':memory:')
  try {
    migrate(connection, 0, version)
    return shapeOfSchema(connection)
  } finally {
    connection.close()
  }
}

/** The shape that a database has. The text of its statements does not matter, which older versions may have written otherwise. */
export function shapeOfSchema(connection: Connection): SchemaShape {
  const columns = connection
    .prepare<[string], string>(
      `SELECT group_concat(name || ' ' || type || ' ' || "notnull" || ' ' || pk, ', ') FROM pragma_table_info(?)`,
    )
    .pluck()
  const indexed = connection
    .prepare<[string], string>(
      "SELECT group_concat(coalesce(name, '?') || ' ' || \"desc\", ', ') FROM pragma_index_xinfo(?)",
    )
    .pluck()
  const shape = new Map<string, string>()
  for (const { type, name, table } of objectsOf(connection)) {
    if (type === 'table') shape.set(`table ${name}`, columns.get(name) ?? '')
    if (type === 'index') shape.set(`index ${name}`, `${table}: ${indexed.get(name) ?? ''}`)
  }
  return shape
}

/** An entry of the schema. */
export interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly table: string
  /** The page at which its tree begins. */
  readonly root: number
}

export function objectsOf(connection: Connection): readonly SchemaObject[] {
  return connection
    .prepare<[], SchemaObject>(
      `SELECT type, name, tbl_name AS "table", rootpage AS root FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat*'`,
    )
    .all()
}

/** Tables and indexes that are missing, or not as expected. */
export function* missingFrom(actual: SchemaShape, expected: SchemaShape): Generator<string> {
  for (const [name, columns] of expected) {
    const found = actual.get(name)
    if (found === undefined) yield `The ${name} is missing.`
    else if (found !== columns) yield `The ${name} is not as Quarry made it.`
  }
}

const MOST_LINES = 100

/**
 * Has SQLite look at every page, and names the table or index that a damaged one belongs to. Where it cannot look at all of the
 * file at once, it looks at one table after the other.
 */
export function checkPages(connection: Connection, findings: Findings): void {
  const objects = findings.attempt('The schema', () => objectsOf(connection)) ?? []
  const nameOf = (root: number): string => {
    const object = objects.find((one) => one.root === root)
    if (object !== undefined) return `the ${object.type} ${object.name}`
    return root === 1 ? 'the schema' : `the tree that begins at page ${root}`
  }
  const found = new Set<string>()
  try {
    for (const line of integrityLines(connection, null)) found.add(describe(line, nameOf))
  } catch {
    // The damage that stops SQLite is among those it has told, or comes up with its table.
    for (const { type, name } of objects) {
      if (type !== 'table') continue
      const trees = objects.filter(({ table }) => table === name)
      addFaultsOfTable(connection, trees, nameOf, found)
    }
  }
  findings.addAll(found)
}

/** `trees`: a table with its indexes. */
function addFaultsOfTable(
  connection: Connection,
  trees: readonly SchemaObject[],
  nameOf: (root: number) => string,
  found: Set<string>,
): void {
  const table = trees[0]?.table ?? ''
  try {
    for (const line of integrityLines(connection, table)) found.add(describe(line, nameOf))
  } catch (error) {
    const names = trees.map(({ type, name }) => `the ${type} ${name},`)
    const isNamed = [...found].some((finding) => names.some((name) => finding.includes(name)))
    if (!isNamed) found.add(`The table ${table} cannot be read: ${readFault(error)}.`)
  }
}

/** Yields what SQLite finds, also before it meets something that it cannot read. */
function* integrityLines(connection: Connection, table: string | null): Generator<string> {
  const of = table === null ? String(MOST_LINES) : `"${table.replaceAll('"', '""')}"`
  for (const text of connection.prepare<[], string>(`PRAGMA integrity_check(${of})`).pluck().iterate()) {
    yield* text.split('\n').filter((line) => line !== 'ok' && !line.startsWith('***'))
  }
}

/** SQLite names a tree by the page at which it begins. */
function describe(line: string, nameOf: (root: number) => string): string {
  const found = /^Tree (\d+)(?: page (\d+))?(?: (?:right child|cell \d+))?:? ?(.*)$/.exec(line)
  if (found === null) return `The database file is damaged: ${line}.`
  const [, root, page, fault] = found
  const where = page === undefined ? '' : `Page ${page}, of `
  const what = nameOf(Number(root))
  const subject = where === '' ? what.replace(/^t/, 'T') : `${where}${what},`
  const isUnreadable = fault?.startsWith('btreeInitPage') === true
  return `${subject} is damaged: ${isUnreadable ? 'its content is not that of a page' : fault}.`
}

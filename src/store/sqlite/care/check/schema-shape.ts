import Database from 'better-sqlite3'
import type { Connection } from '../../database.ts'
import { migrate } from '../../schema/migrate.ts'

/** What tables and indexes a database has, and what columns they have: as text, to be compared. */
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

/** What a database lacks, or has otherwise, of what it should have. */
export function* missingFrom(actual: SchemaShape, expected: SchemaShape): Generator<string> {
  for (const [name, columns] of expected) {
    const found = actual.get(name)
    if (found === undefined) yield `The ${name} is missing.`
    else if (found !== columns) yield `The ${name} is not as Quarry made it.`
  }
}

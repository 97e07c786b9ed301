import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { projectFile } from '../../src/kernel/project-files.ts'
import { migrate } from '../../src/store/sqlite/schema/migrate.ts'

const README = 'src/store/sqlite/README.md'

/** Columns of the tables of a new file, by table. */
function columnsByTable(): ReadonlyMap<string, readonly string[]> {
  const connection = new Database(':memory:')
  try {
    migrate(connection, 0)
    const tables = connection
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
      .pluck()
      .all()
    const columns = connection.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck()
    return new Map(tables.map((name) => [name, columns.all(name)]))
  } finally {
    connection.close()
  }
}

describe(README, () => {
  const text = readFileSync(projectFile(README), 'utf8')
  const tables = columnsByTable()

  it('tells of every table', () => {
    expect(tables.size).toBeGreaterThan(15)
    expect([...tables.keys()].filter((name) => !text.includes(`\`${name}\``) && !text.includes(`\`${name}(`))).toEqual(
      [],
    )
  })

  it('tells of no table and no column that is not there', () => {
    const told = [...text.matchAll(/`(\w+)\(([\w, ]+)\)`/g)]
    expect(told.length).toBeGreaterThan(5)
    const wrong = told.filter(([, name = '', columns = '']) =>
      columns.split(', ').some((column) => tables.get(name)?.includes(column) !== true),
    )
    expect(wrong.map(([all]) => all)).toEqual([])
  })
})

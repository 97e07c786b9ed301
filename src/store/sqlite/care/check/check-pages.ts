import type { Connection } from '../../database.ts'
import { type Findings, readFault } from './findings.ts'
import { objectsOf, type SchemaObject } from './schema-shape.ts'

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
    // What keeps SQLite from going on is one of the damages that it has told, or comes up with its table.
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

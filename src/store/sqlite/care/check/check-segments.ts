import { countBits, hasBit } from '../../../../engine/selection.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import { ColumnLoader, compareSegment } from '../../../segments/segment-content.ts'
import type { Shelf } from '../../../shelf.ts'
import type { Connection } from '../../base/database.ts'
import { type SegmentRow, segmentReader } from '../../segments/segment-rows.ts'
import type { Findings } from './findings.ts'

/** Documents that are held against columns at a time. */
const ROWS_AT_ONCE = 4096

interface NamedShelf extends Shelf {
  readonly name: string
}

interface BacklogRow {
  readonly reached: number
  readonly last: number
}

/** Columns of a segment outside of its checksum, by which segments are found. */
interface SegmentBounds {
  readonly deadRows: number
  readonly first: number
  readonly last: number
}

/**
 * Holds segments against the records: every record is in one place (a row of a segment that lives, the tail, or what is still to be taken
 * over), and every column says what the documents say. `progress` hears of the records that have been compared.
 */
export function checkSegments(connection: Connection, findings: Findings, progress: (records: number) => void): void {
  const shelves = connection
    .prepare<[], NamedShelf>(
      `SELECT home, collection, (SELECT name FROM collection WHERE number = shelf.collection) AS name
       FROM (SELECT scope AS home, collection FROM record UNION SELECT home, collection FROM segment
             UNION SELECT home, collection FROM tail) AS shelf`,
    )
    .all()
  checkHomes(connection, findings)
  const check = shelfChecker(connection, findings, progress)
  for (const shelf of shelves) findings.attempt(`What the segments of ${shelf.name} say`, () => check(shelf))
}

/** Checks homes and tails, by which readers know that there is something new, and where to look for a record. */
function checkHomes(connection: Connection, findings: Findings): void {
  const every = (part: string, query: string, finding: (number: number) => string): void => {
    const numbers = findings.attempt(part, () => connection.prepare<[], number>(query).pluck().all()) ?? []
    for (const number of numbers) findings.add(finding(number))
  }
  every(
    'The table home',
    'SELECT DISTINCT scope FROM record WHERE scope NOT IN (SELECT number FROM home)',
    (home) => `Home ${home} has records, and is not among the homes.`,
  )
  every(
    'The table tail',
    'SELECT DISTINCT home FROM tail WHERE stamp > coalesce((SELECT changes FROM home WHERE number = tail.home), 0)',
    (home) => `The tail of home ${home} is ahead of it: what is written next would not be seen.`,
  )
}

/** Prepares the statements. */
function shelfChecker(connection: Connection, findings: Findings, progress: (records: number) => void) {
  const reader = segmentReader(connection)
  const numbersOf = connection
    .prepare<[number, number], number>('SELECT n FROM record WHERE collection = ? AND scope = ?')
    .pluck()
  const tailOf = connection
    .prepare<[number, number], number>('SELECT n FROM tail WHERE home = ? AND collection = ?')
    .pluck()
  const backlogOf = connection.prepare<[number, number], BacklogRow>(
    'SELECT reached, last FROM backlog WHERE home = ? AND collection = ?',
  )
  const toldOf = connection.prepare<[number], SegmentBounds>(
    'SELECT dead_rows AS deadRows, first_n AS first, last_n AS last FROM segment WHERE number = ?',
  )
  const documents = connection.prepare<[string], { n: number; doc: string }>(
    'SELECT n, doc FROM record WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n',
  )

  return (shelf: NamedShelf): void => {
    const { home, collection, name } = shelf
    const tail = new Set(tailOf.all(home, collection))
    const missing = numbersOfSegments(shelf, tail)
    let isWhole = true
    for (const { number } of reader.list(shelf)) {
      const part = `Segment ${number} of ${name}`
      const segment = findings.attempt(part, () => reader.read(number))
      if (segment === null) {
        isWhole = false
        continue
      }
      if (!isAsTold(segment, toldOf.get(number))) {
        findings.add(`${part} has other records, or more or fewer dead ones, than is written of it.`)
      }
      findings.attempt(part, () => checkSegment(segment, name, { tail, missing }))
    }
    // Records of an unreadable segment are unknown.
    if (missing.size > 0 && isWhole) findings.add(`${missing.size} records of ${name} are in no segment.`)
  }

  /** Those that segments have to have: all that are neither in the tail nor still to be taken over. */
  function numbersOfSegments({ home, collection }: NamedShelf, tail: ReadonlySet<number>): Set<number> {
    const { reached, last } = backlogOf.get(home, collection) ?? { reached: 0, last: 0 }
    const isLeft = (n: number) => n > reached && n <= last
    return new Set(numbersOf.all(collection, home).filter((n) => !tail.has(n) && !isLeft(n)))
  }

  function checkSegment(
    segment: SegmentRow,
    name: string,
    { tail, missing }: { readonly tail: ReadonlySet<number>; readonly missing: Set<number> },
  ): void {
    const living = Array.from(segment.numbers).filter((n, row) => !hasBit(segment.dead, row) && !tail.has(n))
    const unknown = living.filter((n) => !missing.delete(n))
    if (unknown.length > 0) {
      findings.add(
        `Segment ${segment.number} of ${name} has ${unknown.length} rows of records that are not there, or are in another segment.`,
      )
      return
    }
    const loader = new ColumnLoader(segment.number, segment.catalog, reader.chunk)
    for (let at = 0; at < living.length; at += ROWS_AT_ONCE) {
      const some = living.slice(at, at + ROWS_AT_ONCE)
      compare(segment, name, { loader, numbers: some })
      progress(some.length)
    }
  }

  function compare(
    segment: SegmentRow,
    name: string,
    { loader, numbers }: { readonly loader: ColumnLoader; readonly numbers: readonly number[] },
  ): void {
    for (const { what, records } of compareSegment(segment, loader, documentsOf(numbers))) {
      findings.add(
        `Segment ${segment.number} of ${name} says something else of ${what} than ${records} of its records.`,
      )
    }
  }

  /** Skips broken texts: the check of records tells of them. */
  function* documentsOf(numbers: readonly number[]) {
    for (const { n, doc } of documents.all(JSON.stringify(numbers))) {
      const document = parsed(doc)
      if (document !== null) yield { n, document }
    }
  }
}

function isAsTold({ dead, numbers }: SegmentRow, told: SegmentBounds | undefined): boolean {
  return (
    told !== undefined &&
    told.deadRows === countBits(dead) &&
    told.first === (numbers[0] ?? 0) &&
    told.last === (numbers.at(-1) ?? 0)
  )
}

function parsed(text: string): JsonObject | null {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return null
  }
}

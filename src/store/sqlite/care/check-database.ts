import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import { type Connection, inSnapshot } from '../database.ts'
import { pathTypeRange } from '../leaf-key.ts'
import {
  isUndamaged,
  type RecordContent,
  type RemovedContent,
  type RevisionContent,
  recordChecksum,
  removedChecksum,
  revisionChecksum,
  type Sealed,
} from '../row-checksum.ts'
import { shapeOf } from '../shape.ts'
import { type DocumentLeaves, documentLeaves } from '../write/document-leaves.ts'
import { ExpectedCompounds } from './check-compounds.ts'

type Progress = (done: number, total: number) => void

/** A damaged file can have a finding for every record; the first ones tell enough. */
const MOST_FINDINGS = 100
const RECORDS_PER_REPORT = 500

interface RecordRow extends Sealed<RecordContent> {
  /** What the body holds, as text; null when there is none or it is damaged. */
  readonly body: string | null
}

/** Verifies the file, every document, and every entry of the index against the documents. One line a finding. */
export function checkDatabase(connection: Connection, progress: Progress): string[] {
  return inSnapshot(connection, () => [
    ...fileFindings(connection),
    ...rowFindings(connection),
    ...recordFindings(connection, progress),
  ]).slice(0, MOST_FINDINGS)
}

function fileFindings(connection: Connection): string[] {
  const integrity = connection.prepare<[], string>(`PRAGMA integrity_check(${MOST_FINDINGS})`).pluck().all()
  const keys = connection.prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check').all()
  const orphans =
    connection
      .prepare<[], number>(
        'SELECT count(*) FROM revision WHERE n NOT IN (SELECT n FROM record) AND n NOT IN (SELECT n FROM removed)',
      )
      .pluck()
      .get() ?? 0
  const doubles =
    connection.prepare<[], number>('SELECT count(*) FROM removed WHERE n IN (SELECT n FROM record)').pluck().get() ?? 0
  return [
    ...integrity.filter((line) => line !== 'ok').map((line) => `The database file is damaged: ${line}.`),
    ...(orphans === 0 ? [] : [`${orphans} earlier versions belong to no record.`]),
    ...(doubles === 0 ? [] : [`${doubles} records are both removed and there.`]),
    ...keys.map(({ table, parent }) => `A row of ${table} refers to a row of ${parent} that does not exist.`),
  ]
}

/** Rows beside the records that are not what was written. */
function rowFindings(connection: Connection): string[] {
  const findings: string[] = []
  const isSealing = connection.prepare('SELECT 1 FROM sealing').get() !== undefined
  const bare = connection
    .prepare<[], number>(
      `SELECT (SELECT count(*) FROM record WHERE checksum IS NULL) + (SELECT count(*) FROM revision WHERE checksum IS NULL)
         + (SELECT count(*) FROM removed WHERE checksum IS NULL)`,
    )
    .pluck()
    .get()
  if (bare !== 0 && !isSealing) findings.push(`${bare} texts have no checksum.`)
  for (const row of connection.prepare<[], Sealed<RevisionContent>>('SELECT * FROM revision').iterate()) {
    const fault = rowFault(row, revisionChecksum)
    if (fault !== null) findings.push(`Version ${row.version} of record number ${row.n}: ${fault}.`)
  }
  for (const row of connection.prepare<[], Sealed<RemovedContent>>('SELECT * FROM removed').iterate()) {
    const fault = rowFault(row, removedChecksum)
    if (fault !== null) findings.push(`Removed record ${row.id}: ${fault}.`)
  }
  return findings
}

function rowFault<Content>(row: Sealed<Content>, checksum: (row: Content) => number): string | null {
  return isUndamaged(row, checksum) ? null : 'it is not what was written'
}

const REBUILD_UNDER_WAY =
  'The index is being made anew and not used until then; quarry reindex goes on with it where it was interrupted.'

const RECORDS_WITH_BODIES = `
  SELECT record.n, collection, scope, owner, id, version, is_default, record.doc, note, checksum,
    CASE WHEN json_valid(body.doc, 8) THEN json(body.doc) END AS body
  FROM record LEFT JOIN body ON body.n = record.n`

/** Counts over all records what the index and its counters should say, then compares. */
function recordFindings(connection: Connection, progress: Progress): string[] {
  if (connection.prepare('SELECT 1 FROM rebuild').get() !== undefined) return [REBUILD_UNDER_WAY]
  const findings: string[] = []
  const total = connection.prepare<[], number>('SELECT count(*) FROM record').pluck().get() ?? 0
  const expected = new ExpectedIndex(connection)
  let done = 0
  progress(done, total)
  for (const row of connection.prepare<[], RecordRow>(RECORDS_WITH_BODIES).iterate()) {
    const finding = expected.take(row)
    if (finding !== null && findings.length < MOST_FINDINGS) findings.push(finding)
    done += 1
    if (done % RECORDS_PER_REPORT === 0) progress(done, total)
  }
  progress(done, total)
  return [...findings, ...expected.compareTotals()]
}

/** What the index must hold, by the documents. */
class ExpectedIndex {
  readonly #connection: Connection
  readonly #compounds: ExpectedCompounds
  readonly #findPath
  readonly #hasLeaf
  readonly #hasShape
  readonly #entries = new Map<number, number>()
  readonly #plain = new Map<number, number>()
  readonly #kinds = new Map<string, number>()
  readonly #records = new Map<number, number>()
  readonly #several = new Set<number>()
  readonly #partial = new Set<number>()

  constructor(connection: Connection) {
    this.#connection = connection
    this.#compounds = new ExpectedCompounds(connection)
    this.#findPath = connection
      .prepare<[number, string], number>('SELECT number FROM path WHERE collection = ? AND text = ?')
      .pluck()
    this.#hasShape = connection
      .prepare<[number, string], number>('SELECT 1 FROM shape WHERE collection = ? AND keys = ?')
      .pluck()
    this.#hasLeaf = connection
      .prepare<[number, number | string, number, number], number>(
        'SELECT 1 FROM leaf WHERE path_type = ? AND value = ? AND scope = ? AND n = ?',
      )
      .pluck()
  }

  /** Adds one record; tells what is wrong with it. */
  take(row: RecordRow): string | null {
    add(this.#records, row.collection, 1)
    const fault = rowFault(row, recordChecksum)
    if (fault !== null) return `Record ${row.id}: ${fault}.`
    const read = this.#read(row)
    if (typeof read === 'string') return `Record ${row.id}: ${read}.`
    const { document, leaves } = read
    for (const path of leaves.plainPaths) add(this.#plain, path, 1)
    for (const pathKind of leaves.kinds) add(this.#kinds, `${row.scope} ${pathKind}`, 1)
    for (const path of leaves.severalPaths) this.#several.add(path)
    for (const path of leaves.partialPaths) this.#partial.add(path)
    let missing = 0
    for (const { pathType, value } of leaves.entries) {
      if (this.#hasLeaf.get(pathType, value, row.scope, row.n) === undefined) missing += 1
      else add(this.#entries, pathType, 1)
    }
    const misplaced = this.#compounds.take(row.collection, { ...row, document, leaves })
    if (missing > 0) return `Record ${row.id}: ${missing} of its values are missing from the index.`
    return misplaced === null ? null : `Record ${row.id}: ${misplaced}.`
  }

  /** Reads a document and its leaves; or tells why that cannot be done. */
  #read(row: RecordRow): { document: JsonObject; leaves: DocumentLeaves } | string {
    let document: Json
    try {
      document = JSON.parse(row.doc) as Json
    } catch {
      return 'its text is not JSON'
    }
    if (!isJsonObject(document)) return 'its text is not a JSON object'
    if (row.body !== JSON.stringify(document)) return 'its binary form is not what its text says'
    if (this.#hasShape.get(row.collection, shapeOf(document)) === undefined) return 'its order of fields is not known'
    const unknown: string[] = []
    const leaves = documentLeaves(document, (path) => {
      const number = this.#findPath.get(row.collection, path)
      if (number === undefined) unknown.push(path)
      return number ?? -1
    })
    return unknown.length === 0 ? { document, leaves } : `the index does not know its field ${unknown[0]}`
  }

  /** Finds entries that no document accounts for, and counters that are wrong. */
  compareTotals(): string[] {
    const paths = this.#connection.prepare<[], PathRow>('SELECT number, text, partial, several, plain FROM path').all()
    const collections = this.#connection
      .prepare<[], { number: number; name: string; records: number }>('SELECT number, name, records FROM collection')
      .all()
    return [
      ...paths.flatMap((path) => [...this.#surplusOf(path), ...this.#wrongClaimsOf(path)]),
      ...this.#compounds.compareTotals(),
      ...this.#wrongKinds(),
      ...collections
        .filter(({ number, records }) => records !== (this.#records.get(number) ?? 0))
        .map(({ name }) => `The count of records in ${name} is wrong.`),
    ]
  }

  #surplusOf({ number, text }: PathRow): string[] {
    const [from, to] = pathTypeRange(number)
    const counts = this.#connection
      .prepare<[number, number], { pathType: number; count: number }>(
        'SELECT path_type AS pathType, count(*) AS count FROM leaf WHERE path_type BETWEEN ? AND ? GROUP BY path_type',
      )
      .all(from, to)
    const surplus = counts.reduce((sum, row) => sum + row.count - (this.#entries.get(row.pathType) ?? 0), 0)
    return surplus === 0 ? [] : [`The index has ${surplus} entries for ${text} that no record has.`]
  }

  /** Counts that are wrong, or too many, or missing: nobody wants to know of each. */
  #wrongKinds(): string[] {
    const kept = this.#connection
      .prepare<[], { name: string; records: number }>(
        "SELECT scope || ' ' || path_kind AS name, records FROM field_kind WHERE records <> 0",
      )
      .all()
    const right = kept.filter(({ name, records }) => this.#kinds.get(name) === records).length
    const wrong = kept.length + this.#kinds.size - 2 * right
    return wrong === 0 ? [] : ['The counts of records by the kinds of values in their fields are wrong.']
  }

  #wrongClaimsOf({ number, text, partial, several, plain }: PathRow): string[] {
    const findings: string[] = []
    if (plain !== (this.#plain.get(number) ?? 0)) findings.push(`The count of records with one ${text} is wrong.`)
    if (partial === 0 && this.#partial.has(number)) {
      findings.push(`The index claims to hold all values of ${text}, but does not.`)
    }
    if (several === 0 && this.#several.has(number)) {
      findings.push(`The index claims that no record has ${text} in an array, but one does.`)
    }
    return findings
  }
}

interface PathRow {
  readonly number: number
  readonly text: string
  readonly partial: number
  readonly several: number
  readonly plain: number
}

function add<Key>(counts: Map<Key, number>, key: Key, difference: number): void {
  counts.set(key, (counts.get(key) ?? 0) + difference)
}

import { isJsonObject, type Json, type JsonObject } from '../../../../kernel/json.ts'
import type { Connection } from '../../database.ts'
import { pathTypeRange } from '../../leaf-key.ts'
import type { RecordContent } from '../../row-checksum.ts'
import { shapeOf } from '../../shape.ts'
import { type DocumentLeaves, documentLeaves } from '../../write/document-leaves.ts'
import { ExpectedCompounds } from './check-compounds.ts'

/** What the index must hold, by the documents. */
export class ExpectedIndex {
  readonly #connection: Connection
  readonly #compounds: ExpectedCompounds
  readonly #findPath
  readonly #hasLeaf
  readonly #hasShape
  readonly #bodyOf
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
    this.#bodyOf = connection
      .prepare<[number], string | null>('SELECT CASE WHEN json_valid(doc, 8) THEN json(doc) END FROM body WHERE n = ?')
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
  take(row: RecordContent): string | null {
    add(this.#records, row.collection, 1)
    const read = this.#read(row)
    if (typeof read === 'string') return read
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
    return missing > 0 ? `${missing} of its values are missing from the index` : misplaced
  }

  /** Reads a document and its leaves; or tells why that cannot be done. */
  #read(row: RecordContent): { document: JsonObject; leaves: DocumentLeaves } | string {
    let document: Json
    try {
      document = JSON.parse(row.doc) as Json
    } catch {
      return 'its text is not JSON'
    }
    if (!isJsonObject(document)) return 'its text is not a JSON object'
    if (this.#bodyOf.get(row.n) !== JSON.stringify(document)) return 'its binary form is not what its text says'
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

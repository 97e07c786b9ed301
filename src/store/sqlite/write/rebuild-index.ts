import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { Connection } from '../database.ts'
import type { BodyWriter } from './body-writer.ts'
import { documentLeaves, NO_LEAVES } from './document-leaves.ts'
import type { LeafWriter } from './leaf-writer.ts'
import type { NameNumbers } from './name-numbers.ts'
import { countLeaves, type PendingCounts } from './pending-counts.ts'

type Progress = (done: number, total: number) => void

const RECORDS_AT_ONCE = 500

/** Forgets all that is derived from the documents, the numbers of paths excepted. */
const CLEARING = `
  DELETE FROM leaf;
  DELETE FROM body;
  DELETE FROM shape;
  UPDATE path SET partial = 0, several = 0, plain = 0;
  UPDATE collection SET records = 0;`

interface Row {
  readonly n: number
  readonly collection: number
  readonly scope: number
  readonly doc: string
}

/** Derives the index, its counters and the bodies from the documents anew, within the transaction of a job. */
export function rebuildIndex(
  connection: Connection,
  writers: { readonly numbers: NameNumbers; readonly bodies: BodyWriter; readonly index: LeafWriter },
  counts: PendingCounts,
  progress: Progress,
): void {
  const { numbers, bodies, index } = writers
  const total = connection.prepare<[], number>('SELECT count(*) FROM record').pluck().get() ?? 0
  const next = connection.prepare<[number], Row>(
    `SELECT n, collection, scope, doc FROM record WHERE n > ? ORDER BY n LIMIT ${RECORDS_AT_ONCE}`,
  )
  connection.exec(CLEARING)
  bodies.forget()
  let done = 0
  for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)?.n ?? 0)) {
    for (const { n, collection, scope, doc } of rows) {
      const document = JSON.parse(doc) as Json
      if (!isJsonObject(document)) throw new TypeError(`Record number ${n} is not a JSON object.`)
      const leaves = documentLeaves(document, (path) => numbers.path(collection, path))
      for (const entry of leaves.entries) index.add(entry, scope, n)
      bodies.put(n, collection, document)
      countLeaves(NO_LEAVES, leaves, counts)
      counts.addRecords(collection, 1)
      counts.noteChange(scope)
    }
    index.flush()
    done += rows.length
    progress(done, total)
  }
}

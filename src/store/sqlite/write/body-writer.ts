import type { JsonObject } from '../../../kernel/json.ts'
import type { Connection } from '../database.ts'
import { shapeOf } from '../shape.ts'

/** Shapes that are known to be there; users may invent as many as they like. */
const REMEMBERED = 10_000

/** Keeps the JSONB form of records, and notes in which orders they have their fields. */
export interface BodyWriter {
  put(n: number, collection: number, document: JsonObject): void
  remove(n: number): void
  /** Forgets everything: a rollback may have taken shapes back. */
  forget(): void
}

/**
 * Prepares the statements. A body is made from the document as JavaScript writes it, not from its text: what is read from
 * a body is then byte for byte what parsing and writing again would give.
 */
export function bodyWriter(connection: Connection): BodyWriter {
  const put = connection.prepare(
    'INSERT INTO body (n, doc) VALUES (?, jsonb(?)) ON CONFLICT (n) DO UPDATE SET doc = excluded.doc',
  )
  const remove = connection.prepare('DELETE FROM body WHERE n = ?')
  const note = connection.prepare('INSERT INTO shape (collection, keys) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const known = new Set<string>()
  return {
    put(n, collection, document) {
      put.run(n, JSON.stringify(document))
      const keys = shapeOf(document)
      const name = `${collection} ${keys}`
      if (known.has(name)) return
      note.run(collection, keys)
      if (known.size >= REMEMBERED) known.clear()
      known.add(name)
    },
    remove(n) {
      remove.run(n)
    },
    forget: () => known.clear(),
  }
}

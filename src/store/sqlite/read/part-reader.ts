import { type Json, type JsonObject, setOwnField } from '../../../kernel/json.ts'
import { joinSql, sql } from '../../../query/sql/sql-fragment.ts'
import { damageMet } from '../storage-fault.ts'
import { isPlainName, pathOf } from './body-path.ts'
import { parseDocument, type Reader } from './reader.ts'

/** From more fields than this on, parsing the whole text is faster. */
const MOST_FIELDS = 6

/**
 * Reads of a record the top-level fields that are named, in any order; all of them for null. `spendText` hears how long
 * a text is before anything is done with it.
 */
export function partReader(
  reader: Reader,
  names: ReadonlySet<string> | null,
  spendText: (characters: number) => void,
): (n: number) => JsonObject {
  const fields = names === null ? [] : [...names]
  if (names === null || fields.length > MOST_FIELDS || !fields.every(isPlainName)) {
    return (n) => {
      const text = reader.textOf(n)
      spendText(text.length)
      return parseDocument(text)
    }
  }
  if (fields.length === 0) return () => ({})
  const columns = fields.map((name) => sql`body.doc -> ${pathOf([name])}`)
  const query = sql`SELECT ${joinSql(columns, ', ')} FROM body WHERE n = ?`
  const find = reader.statements.prepared(query)
  return (n) => {
    const texts = find(n)
    if (texts === undefined) throw damageMet(`The index names record ${n}, which has no body.`)
    const document: Record<string, Json> = {}
    fields.forEach((name, at) => {
      const text = texts[at]
      if (typeof text !== 'string') return
      spendText(text.length)
      setOwnField(document, name, JSON.parse(text) as Json)
    })
    return document
  }
}

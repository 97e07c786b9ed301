import type { JsonObject } from '../../kernel/json.ts'
import { pickFields, projectText, putFields, SHORT_TEXT } from './client-body.ts'
import type { RecordWork } from './deps.ts'

/** Reads some fields of a stored record, of a long one on another thread; those that it does not have are left out. */
export async function fieldsOf(
  work: RecordWork,
  user: string,
  text: string,
  names: readonly string[],
): Promise<JsonObject> {
  return text.length <= SHORT_TEXT ? pickFields(text, names) : work.run('pick', user, { text, names })
}

/** Writes the text of a stored record with other values in some of its fields. */
export async function withFields(work: RecordWork, user: string, text: string, fields: JsonObject): Promise<string> {
  return text.length <= SHORT_TEXT ? putFields(text, fields) : work.run('put', user, { text, fields })
}

/** The text of a stored record with the fields that are asked for. */
export async function projectedText(work: RecordWork, user: string, text: string, asked: JsonObject): Promise<string> {
  if (text.length <= SHORT_TEXT) return projectText(text, asked)
  return work.run('project', user, { text, asked: JSON.stringify(asked) })
}

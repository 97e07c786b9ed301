import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { parseJson, wrongField } from './json-fields.ts'
import type { JsonStructures } from './list-splitter.ts'

/** What databases let people download: a list, the list of a response (`data`), one entry, or entries by their ids. */
export const ENTRIES: JsonStructures = {
  isList: true,
  isStructure: (key) => (key === 'data' ? 'of-list' : /^[a-z]{1,10}-\d{1,12}$/i.test(key) && 'itself'),
  alone: (text) => text,
}

/** Reads the only entry of a document, which the splitter has taken out of its list; `hasStructure` tells it from what is around it. */
export function readEntry(text: string, hasStructure: (entry: JsonObject) => boolean): JsonObject {
  let document: Json | undefined = parseJson(text)
  while (isJsonArray(document) || (isJsonObject(document) && !hasStructure(document))) {
    const inner: Json | undefined = isJsonArray(document) ? document[0] : ownField(document, 'data')
    if (isJsonArray(document) && inner === undefined) throw refusal(FORMAT_ERRORS.noStructure, 'The list is empty.')
    if (inner === undefined) break
    document = inner
  }
  if (isJsonObject(document)) return document
  throw wrongField('The entry', document, 'an object')
}

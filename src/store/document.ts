import { isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'

/** Reads the text of a record as the document that it is. */
export function parseDocument(text: string): JsonObject {
  const document = JSON.parse(text) as Json
  if (!isJsonObject(document)) throw new Error('A stored record is not a JSON object.')
  return document
}

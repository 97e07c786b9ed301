import { type JsonObject, ownField } from '../kernel/json.ts'
import type { RecordKind } from './record-kind.ts'

/** Definition of a kind; the rest has a default. */
type PlainKind = Pick<RecordKind, 'name' | 'collection' | 'schema'> & Partial<RecordKind>

/** Makes a kind whose records are stored as they come, checked by their schema. */
export function plainKind(kind: PlainKind): RecordKind {
  return {
    check: () => [],
    derive: () => ({}),
    defaultName: (document) => String(ownField(document, 'title') ?? `New ${kind.name.replaceAll('-', ' ')}`),
    ...kind,
  }
}

/** Begins the schema of a kind. */
export function schemaOf(name: string, title: string, required: readonly string[], properties: JsonObject): JsonObject {
  const $schema = 'http://json-schema.org/draft-07/schema#'
  return { $schema, $id: name, title, type: 'object', ...(required.length === 0 ? {} : { required }), properties }
}

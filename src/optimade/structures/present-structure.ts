import { type Json, type JsonObject, setOwnField } from '../../kernel/json.ts'
import { STRUCTURE_PROPERTIES, STRUCTURES } from './properties.ts'
import { recordField, structureSource } from './structure-source.ts'

/** The names of the properties that an answer has when nothing else is asked. */
const DEFAULT_FIELDS: readonly string[] = [...STRUCTURE_PROPERTIES]
  .filter(([, property]) => property.isDefault)
  .map(([name]) => name)

/** Writes a material as a resource object; a property that is asked for and unknown is null. */
export function presentStructure(document: JsonObject, fields: readonly string[] | null): JsonObject {
  const source = structureSource(document)
  const attributes: Record<string, Json> = {}
  for (const name of fields ?? DEFAULT_FIELDS) {
    // The two stand beside the attributes.
    if (name === 'id' || name === 'type') continue
    setOwnField(attributes, name, STRUCTURE_PROPERTIES.get(name)?.value(source) ?? null)
  }
  return { type: STRUCTURES, id: recordField(source, '_id'), attributes }
}

import type { JsonObject } from '../../../src/kernel/json.ts'
import type { StructureSource } from '../../../src/optimade/structure-source.ts'
import { structureOf, writeStructure } from '../../../src/optimade/structures.ts'

/** The value of a property of a stored material, as it is served. */
export function valueServed(document: object, name: string): unknown {
  return attributesServed(structureOf(JSON.stringify(document)), [name])[name]
}

/** The attributes of a structure; those that are usual, where none are named. */
export function attributesServed(structure: StructureSource, fields: readonly string[] | null): JsonObject {
  return JSON.parse(writeStructure(structure, { fields, warnings: [] }).toString()).attributes
}

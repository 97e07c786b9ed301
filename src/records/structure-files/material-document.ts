import type { JsonObject } from '../../kernel/json.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import type { FormatName } from '../../structure/formats/common/format.ts'
import { LONGEST_NAME } from '../common-fields.ts'
import { sourceFindings } from '../kinds/material/findings.ts'
import { readMaterial, sourceOf } from './read-material.ts'
import type { StructureFile } from './structure-file.ts'

/** A material as a client would send it, made from a file. */
export interface MaterialDocument {
  readonly document: JsonObject
  readonly format: FormatName
  readonly warnings: readonly StructureWarning[]
}

/** Makes a document of a structure file, which stays with it; what had to be assumed goes into its checks. */
export function materialDocument(file: StructureFile): MaterialDocument {
  const { format, crystal, material } = readMaterial(file)
  const document: JsonObject = {
    ...material,
    name: String(material.name).slice(0, LONGEST_NAME),
    src: sourceOf(file, format),
    consistencyChecks: sourceFindings(crystal.warnings),
  }
  return { document, format, warnings: crystal.warnings }
}

import type { JsonObject } from '../../kernel/json.ts'
import type { StructureWarning } from '../../structure/formats/crystal.ts'
import type { FormatName } from '../../structure/formats/format.ts'
import { printStructure } from '../../structure/formats/read-structure.ts'
import { readCrystal, readMaterial } from './read-material.ts'
import type { StructureFile } from './structure-file.ts'

/** A structure in another format. */
export interface Conversion {
  readonly format: FormatName
  readonly warnings: readonly StructureWarning[]
  readonly text: string
}

/** Writes the structure of a file in another format; nothing is stored. */
export function convertStructure(file: StructureFile, to: string): Conversion {
  const { format, crystal } = readCrystal(file)
  return { format, warnings: crystal.warnings, text: printStructure(crystal, to) }
}

/** What a material made from a file would say of the structure; nothing is stored. */
export function structureAsMaterial(file: StructureFile): Omit<Conversion, 'text'> & { readonly material: JsonObject } {
  const { format, crystal, material } = readMaterial(file)
  return { format, warnings: crystal.warnings, material }
}

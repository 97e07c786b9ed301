import type { JsonObject } from '../../kernel/json.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import type { FormatName } from '../../structure/formats/common/format.ts'
import { printStructure } from '../../structure/formats/read-structure.ts'
import { readCrystal, readMaterial } from './read-material.ts'
import type { StructureFile } from './structure-file.ts'
import { writableFormat } from './writable-format.ts'

/** A structure in another format: what a material made from it would say of the structure, or the text of a file. */
export type Conversion = {
  readonly format: FormatName
  readonly to: FormatName
  readonly warnings: readonly StructureWarning[]
} & ({ readonly content: string } | { readonly material: JsonObject })

/** Writes the structure of a file in another format; nothing is stored. */
export function convertStructure(file: StructureFile, format: string): Conversion {
  const { name: to } = writableFormat(format)
  if (to === 'material') {
    const { format: from, crystal, material } = readMaterial(file)
    return { format: from, to, warnings: crystal.warnings, material }
  }
  const { format: from, crystal } = readCrystal(file)
  return { format: from, to, warnings: crystal.warnings, content: printStructure(crystal, to) }
}

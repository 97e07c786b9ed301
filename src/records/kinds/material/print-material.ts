import type { JsonObject } from '../../../kernel/json.ts'
import { type OrderedTerms, orderedApproximant } from '../../../structure/chemistry/ordered-approximant.ts'
import type { Crystal, StructureWarning } from '../../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import type { PrintOptions, StructureFormat } from '../../../structure/formats/common/format.ts'
import { warningsOfWriting } from '../../../structure/formats/common/quantities.ts'
import { crystalToMaterial, materialToCrystal } from '../../../structure/formats/json/material.ts'
import { printStructure } from '../../../structure/formats/read-structure.ts'
import { findFormat, formatNames, isWritten } from '../../../structure/formats/registry.ts'
import { isDisordered } from '../../../structure/occupancy.ts'
import {
  notComputed,
  SWITCHED_OFF,
  type SymmetryFinder,
  type SymmetryTolerance,
} from '../../../structure/symmetry/symmetry-report.ts'
import { ORIGINS_FIELD } from '../../origins.ts'
import { crystalOf, readStructure } from './read-structure.ts'

/** With symmetry in the standard cell, where a format can say symmetry and it is found; or all atoms of the cell that the structure has. */
export const WRITTEN_SYMMETRIES = ['standard', 'none'] as const

/** Ways to make a disordered crystal an ordered one. */
export const ORDERED = ['majority', 'supercell'] as const

/** Limits and defaults of the terms of a supercell. */
export const ORDERED_LIMITS = { usualAtoms: 200, mostAtoms: 10_000, usualSeed: 0, mostSeed: 2 ** 32 - 1 } as const

/** Options of writing. Plain data: it goes to another thread. */
export interface PrintTerms extends SymmetryTolerance {
  readonly format: string
  /** `standard` where nothing is said. */
  readonly symmetry?: (typeof WRITTEN_SYMMETRIES)[number] | undefined
  /** Way to make a disordered crystal an ordered one; left out, it is written as it is. */
  readonly ordered?: OrderedTerms | undefined
}

export function writableFormat(name: string): StructureFormat {
  const format = findFormat(name)
  if (format?.print !== undefined) return format
  const shown = JSON.stringify(name.slice(0, 40))
  const what =
    format === undefined ? `${shown} is no structure format` : `${format.title} files are read but not written`
  const hint = `Formats that are written: ${formatNames(isWritten)}.`
  throw refusal(FORMAT_ERRORS.unknownFormat, `${what}.`, { path: 'format', hint })
}

/** A structure file, and what reading and writing it had to assume and to leave out. */
export interface PrintedStructure {
  readonly text: string
  readonly warnings: readonly StructureWarning[]
}

/** Writes a material in a format that can be written; fields of the record beside the structure stay with the record, and are not told. As JSON of a material, an approximant says what it was made from. */
export function printMaterial(
  document: JsonObject,
  terms: PrintTerms,
  finder: SymmetryFinder | undefined,
): PrintedStructure {
  const crystal = materialToCrystal(document)
  const printed = printCrystal(crystal, () => document, terms, finder)
  const { ordered } = terms
  const isMade = ordered !== undefined && writableFormat(terms.format).name === 'material' && isDisordered(crystal)
  if (!isMade) return printed
  const origin = { _id: document._id, collection: 'materials', how: 'ordered approximant', parameters: ordered }
  return { ...printed, text: `${JSON.stringify({ ...JSON.parse(printed.text), [ORIGINS_FIELD]: [origin] })}\n` }
}

/** Writes a crystal; `material` gives it as a record has it, since then the same symmetry is found in the file that a record came from. */
export function printCrystal(
  crystal: Crystal,
  material: () => JsonObject,
  { format, symmetry, ordered }: PrintTerms,
  finder: SymmetryFinder | undefined,
): PrintedStructure {
  if (ordered !== undefined && isDisordered(crystal)) {
    const approximant = orderedApproximant(crystal, ordered)
    return printCrystal(approximant, () => crystalToMaterial(approximant), { format, symmetry }, finder)
  }
  const options: PrintOptions = {
    symmetry: () => finder?.(crystalOf(readStructure(material()))) ?? notComputed(SWITCHED_OFF),
  }
  const text = printStructure(crystal, format, symmetry === 'none' ? {} : options)
  return { text, warnings: [...warningsOfWriting(crystal, writableFormat(format)), ...crystal.warnings] }
}

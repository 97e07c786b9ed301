import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { orderedApproximant } from '../../../structure/chemistry/ordered-approximant.ts'
import type { Crystal, StructureLimits, StructureWarning } from '../../../structure/crystal.ts'
import type { FormatName, StructureFormat } from '../../../structure/formats/common/format.ts'
import type { PickedFrame } from '../../../structure/formats/frame-picker.ts'
import { crystalToMaterial } from '../../../structure/formats/json/material.ts'
import { readStructure, type StructureReading } from '../../../structure/formats/read-structure.ts'
import type { SymmetryFinder } from '../../../structure/symmetry/symmetry-report.ts'
import { LONGEST_NAME } from '../../validate-record.ts'
import { sourceFindings } from './findings.ts'
import { type PrintTerms, printCrystal, writableFormat } from './print-material.ts'
import { declaredSymmetry } from './symmetry-fields.ts'

/** A structure file as it comes in. */
export interface StructureFile {
  readonly text: string
  /** A format's name; without it the format is found from name and content. */
  readonly format?: string | undefined
  readonly fileName?: string | undefined
  /** Number of the structure to take, counted from 0, from the end where negative; the first when left out. */
  readonly frame?: number | undefined
  readonly limits?: StructureLimits | undefined
  /** Id of the stored material that the text is of: what is made of it names it. */
  readonly of?: string | undefined
  /** Present where the text is one structure of a file of several. */
  readonly part?: FilePart | undefined
  /** Present where the text was taken out of a file that is too long to be kept with a record. */
  readonly taken?: TakenFrame | undefined
}

/** Place of a structure in the file that it was taken out of. */
export interface TakenFrame {
  readonly format: FormatName
  /** Counted from 0. */
  readonly frame: number
  /** Null where the file was not read to its end. */
  readonly frames: number | null
  /** Line of the file where the text begins, counted from 1. */
  readonly line: number
  readonly warnings: readonly StructureWarning[]
}

/** A structure picked out of a file, with a text of its own. */
export function takenFile({ frame, format, index, count, warnings }: PickedFrame, fileName?: string): StructureFile {
  const taken = { format: format.name, frame: index, frames: count, line: frame.line, warnings }
  return { text: frame.text, fileName, taken }
}

/** A structure file on its way to the thread that reads it: the bytes of a long text are in shared memory. */
export interface SentFile extends Omit<StructureFile, 'text'> {
  readonly text: string | Uint8Array
}

/** Place of a text in the whole file. */
export interface FilePart {
  readonly format: FormatName
  /** Counted from 0. */
  readonly frame: number
  readonly frames: number
  /** SHA-256 of the text of the whole file, in hexadecimal digits. */
  readonly hash: string
}

/** A file that is too long to be held: it is read as often as is needed. */
export interface FileStream {
  readonly name: string
  /** Reads it from its beginning, unpacked; refuses where it is not what it was the first time. */
  readonly open: () => AsyncIterable<Uint8Array>
}

/** A file of any kind whose bytes have been read, with the name by which its sender knows it; it is never a path to follow. */
export interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The extension by which files of a format go. */
export function extensionOf({ extensions }: StructureFormat): string {
  return extensions[0] ?? 'json'
}

/** A structure file read into what a material has of it. */
export interface ReadMaterial {
  readonly format: FormatName
  readonly crystal: Crystal
  /** The fields that describe the structure; the name is the file's title, else the formula. */
  readonly material: JsonObject
}

/** Reads a structure file; refuses with place and advice what cannot be kept as it is. */
export function readMaterial(file: StructureFile): ReadMaterial {
  const { format, crystal } = readCrystal(file)
  return { format, crystal, material: { ...crystalToMaterial(crystal), ...restOf(crystal) } }
}

/** What the file says beside the structure, as records keep it. */
function restOf({ rest }: Crystal): JsonObject {
  return rest === undefined || Object.keys(rest.values).length === 0 ? {} : { source: rest.values }
}

/** Reads a structure file; what a material of it would have is not asked. */
export function readCrystal(file: StructureFile): StructureReading {
  const { text, part, taken, format = part?.format ?? taken?.format, fileName, frame, limits } = file
  return readStructure(text, { format, fileName, taken, limits, frame: taken === undefined ? frame : undefined })
}

/** The file itself, as records keep it beside what was read from it. */
export function sourceOf(file: StructureFile, format: FormatName): Json {
  const extension = /\.([A-Za-z0-9]{1,16})$/.exec(file.fileName ?? '')?.[1]?.toLowerCase() ?? format
  const hash = createHash('md5').update(file.text, 'utf8').digest('hex')
  const frame = file.frame === undefined || file.taken !== undefined ? {} : { frame: file.frame }
  return { extension, filename: file.fileName ?? '', text: file.text, hash, ...frame, ...partOf(file) }
}

function partOf({ part, taken }: StructureFile): { readonly partOf?: JsonObject } {
  if (part !== undefined) return { partOf: { frame: part.frame, frames: part.frames, hash: part.hash } }
  if (taken === undefined || (taken.frames === 1 && taken.frame === 0)) return {}
  return { partOf: { frame: taken.frame, ...(taken.frames === null ? {} : { frames: taken.frames }) } }
}

/** Members of a set are told apart by the number of the frame, whatever the titles say. */
function nameOf({ part }: StructureFile, name: string): string {
  const number = part === undefined ? '' : ` #${part.frame}`
  return `${name.slice(0, LONGEST_NAME - number.length)}${number}`
}

/** A material as a client would send it, made from a file. */
export interface MaterialDocument {
  readonly document: JsonObject
  readonly format: FormatName
  readonly warnings: readonly StructureWarning[]
}

/** Makes a document of a structure file, which stays with it; what had to be assumed goes into its checks. */
export function materialDocument(file: StructureFile): MaterialDocument {
  const { format, crystal, material } = readMaterial(file)
  const warnings = crystal.warnings.map(inKeptFile)
  const document: JsonObject = {
    ...material,
    name: nameOf(file, String(material.name)),
    src: sourceOf(file, format),
    consistencyChecks: sourceFindings(warnings),
    ...(crystal.declaredGroup === undefined ? {} : { symmetry: declaredSymmetry(crystal.declaredGroup) }),
  }
  return { document, format, warnings }
}

/** Says where what is left out still is. */
function inKeptFile(warning: StructureWarning): StructureWarning {
  const isLeftOut = warning.code === 'left-out' || warning.code === 'not-read'
  return isLeftOut ? { ...warning, message: `${warning.message} Its text is in src.text.` } : warning
}

/** A structure in another format: what a material made from it would say of the structure, or the text of a file. */
export type Conversion = {
  readonly format: FormatName
  readonly to: FormatName
  readonly warnings: readonly StructureWarning[]
} & ({ readonly content: string } | { readonly material: JsonObject })

/** Writes the structure of a file in another format; nothing is stored. */
export function convertStructure(
  file: StructureFile,
  terms: PrintTerms,
  finder: SymmetryFinder | undefined,
): Conversion {
  const { name: to } = writableFormat(terms.format)
  if (to === 'material') {
    const { format: from, crystal: given } = readCrystal(file)
    const crystal = terms.ordered === undefined ? given : orderedApproximant(given, terms.ordered)
    return {
      format: from,
      to,
      warnings: crystal.warnings,
      material: { ...crystalToMaterial(crystal), ...restOf(given) },
    }
  }
  const { format: from, crystal } = readCrystal(file)
  const { text, warnings } = printCrystal(crystal, () => crystalToMaterial(crystal), terms, finder)
  return { format: from, to, warnings, content: text }
}

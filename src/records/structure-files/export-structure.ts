import type { Session } from '../../accounts/session.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { FORMAT_ERRORS, refusal } from '../../structure/formats/errors.ts'
import type { StructureFormat } from '../../structure/formats/format.ts'
import { materialToCrystal } from '../../structure/formats/material.ts'
import { printStructure } from '../../structure/formats/read-structure.ts'
import { findFormat, STRUCTURE_FORMATS } from '../../structure/formats/registry.ts'
import type { RecordDeps } from '../deps.ts'
import { getRecord } from '../get-record.ts'
import { materialKind } from '../kinds/material/material-kind.ts'

/** A structure as a file. */
export interface StructureText {
  readonly format: StructureFormat
  readonly fileName: string
  readonly text: string
}

/** Writes a stored material as a structure file. */
export async function exportStructure(
  deps: RecordDeps,
  session: Session,
  id: string,
  format: StructureFormat,
): Promise<StructureText> {
  const { text } = await getRecord(deps, materialKind, session, id)
  const document: JsonObject = JSON.parse(text)
  return { format, fileName: `${slugOfRecord(document)}.${extensionOf(format)}`, text: printMaterial(document, format) }
}

/** Writes a material in a format that can be written. */
export function printMaterial(document: JsonObject, format: StructureFormat): string {
  return printStructure(materialToCrystal(document), format.name)
}

/** A part of a file's name: letters, digits and hyphens, never empty. */
export function slugOfRecord({ slug, _id }: JsonObject): string {
  const plain = String(slug ?? '')
    .replace(/[^A-Za-z0-9-]+/g, '')
    .slice(0, 80)
  return plain === '' ? String(_id) : plain
}

/** The extension by which a format goes. */
export function extensionOf({ extensions }: StructureFormat): string {
  return extensions[0] ?? 'json'
}

/** Looks up a format that can be written. */
export function writableFormat(name: string): StructureFormat {
  const format = findFormat(name)
  if (format?.print !== undefined) return format
  const known = STRUCTURE_FORMATS.filter(({ print }) => print !== undefined).map((one) => one.name)
  const what =
    format === undefined
      ? `${JSON.stringify(name.slice(0, 40))} is no structure format`
      : `${format.title} is read but not written`
  throw refusal(FORMAT_ERRORS.unknownFormat, `${what}.`, {
    path: 'format',
    hint: `Formats that are written: ${known.join(', ')}.`,
  })
}

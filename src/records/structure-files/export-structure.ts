import type { Session } from '../../accounts/session.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { materialToCrystal } from '../../structure/formats/json/material.ts'
import { printStructure } from '../../structure/formats/read-structure.ts'
import type { RecordDeps } from '../deps.ts'
import { getRecord } from '../get-record.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { extensionOf } from './writable-format.ts'

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

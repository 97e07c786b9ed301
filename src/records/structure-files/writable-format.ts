import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { findFormat, STRUCTURE_FORMATS } from '../../structure/formats/registry.ts'

/** Looks up a format that can be written. */
export function writableFormat(name: string): StructureFormat {
  const format = findFormat(name)
  if (format?.print !== undefined) return format
  const known = STRUCTURE_FORMATS.filter(({ print }) => print !== undefined).map((one) => one.name)
  const shown = JSON.stringify(name.slice(0, 40))
  const what =
    format === undefined ? `${shown} is no structure format` : `${format.title} files are read but not written`
  const hint = `Formats that are written: ${known.join(', ')}.`
  throw refusal(FORMAT_ERRORS.unknownFormat, `${what}.`, { path: 'format', hint })
}

/** The extension by which files of a format go. */
export function extensionOf({ extensions }: StructureFormat): string {
  return extensions[0] ?? 'json'
}

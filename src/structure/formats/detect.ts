import type { ReadOptions, StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { StructureFormat } from './common/format.ts'
import { shorten } from './common/text.ts'
import { findFormat, formatNames, STRUCTURE_FORMATS } from './registry.ts'

/** Facts about a file beside its text. */
export interface FileHints extends ReadOptions {
  /** A format's name; without it the format is found from the file's name and content. */
  readonly format?: string | undefined
  readonly fileName?: string | undefined
  /** Present where the text is one that was taken out of a file: where it begins there, and what taking it out had to assume. */
  readonly taken?: { readonly line: number; readonly warnings: readonly StructureWarning[] } | undefined
}

/** The format of a file, of which the text is the beginning: the one that is named, else the one that name and content tell. */
export function formatOf(text: string, hints: FileHints): StructureFormat {
  if (hints.format !== undefined && hints.format !== '') return requireFormat(hints.format)
  const named = hints.fileName === undefined ? undefined : detectByName(hints.fileName)
  // A name that promises one format over a content that is plainly another is a slip of the sender.
  if (named?.recognizes(text)) return named
  const found = STRUCTURE_FORMATS.find((format) => format.recognizes(text)) ?? named
  if (found !== undefined) return found
  throw refusal(FORMAT_ERRORS.unknownFormat, 'The file is of no known structure format.', {
    hint: `Name its format, one of ${formatNames()}.`,
  })
}

/** The format that a file name promises. */
export function detectByName(fileName: string): StructureFormat | undefined {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  const extension = /\.([^.]+)$/.exec(base)?.[1]?.toLowerCase()
  return (
    STRUCTURE_FORMATS.find((format) => extension !== undefined && format.extensions.includes(extension)) ??
    STRUCTURE_FORMATS.find((format) => format.fileNames?.test(base))
  )
}

/** The format of a name, which must be there. */
export function requireFormat(name: string): StructureFormat {
  const format = findFormat(name)
  if (format !== undefined) return format
  throw refusal(FORMAT_ERRORS.unknownFormat, `"${shorten(name)}" is no structure format.`, {
    hint: `Known formats: ${formatNames()}.`,
  })
}

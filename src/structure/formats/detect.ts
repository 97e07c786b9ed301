import { remedied } from '../../page/remedies.ts'
import type { ReadOptions, StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { StructureFormat } from './common/format.ts'
import { shorten } from './common/text.ts'
import { formOf, type KnownForm } from './known-forms.ts'
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
  const form = formOf(text)
  if (hints.format !== undefined && hints.format !== '') {
    const format = requireFormat(hints.format)
    if (form === undefined || hints.taken !== undefined || (form.isMistaken === undefined && format.recognizes(text)))
      return format
    throw otherForm(form, format)
  }
  const named = hints.fileName === undefined ? undefined : detectByName(hints.fileName)
  if (form?.isMistaken === true) throw otherForm(form, named)
  // A name that promises one format over a content that is plainly another is a slip of the sender.
  if (named?.recognizes(text)) return named
  const found = STRUCTURE_FORMATS.find((format) => format.recognizes(text))
  if (found !== undefined) return found
  if (form !== undefined) throw otherForm(form, named)
  if (/^\s*[[{]/.test(text) && !MATERIAL.test(text)) throw otherJson(text)
  if (named !== undefined) return named
  throw refusal(
    FORMAT_ERRORS.unknownFormat,
    'The file is of no known structure format.',
    remedied('nameFormat', { formats: formatNames() }),
  )
}

/** Fields that a material cannot do without. */
const MATERIAL = /"(?:basis|lattice)"\s*:/

/** Says what a file is, where it is not what it was taken for. */
function otherForm({ title, advice }: KnownForm, taken: StructureFormat | undefined): Error {
  const message =
    taken === undefined ? `The file looks like ${title}.` : `The file is no ${taken.title}: it looks like ${title}.`
  return refusal(FORMAT_ERRORS.unknownFormat, message, typeof advice === 'string' ? { hint: advice } : advice)
}

const MOST_KEYS = 8
const KEYS = /"([^"\\]{1,60})"\s*:/g

function otherJson(text: string): Error {
  const keys = new Set([...text.slice(0, HEAD_OF_JSON).matchAll(KEYS)].map(([, key = '']) => key))
  const names = [...keys].slice(0, MOST_KEYS)
  const has =
    names.length === 0
      ? 'It has no fields'
      : `It has the fields ${names.join(', ')}${keys.size > MOST_KEYS ? ' and more' : ''}`
  return refusal(FORMAT_ERRORS.unknownFormat, `This JSON holds no structure that is known. ${has}.`, {
    hint: 'JSON that is read: materials, pymatgen and the Materials Project, ASE, OPTIMADE, JARVIS, archives of NOMAD.',
  })
}

const HEAD_OF_JSON = 16 * 1024

/** The format that a text looks like, where it does not look like the one that it was taken for. */
export function betterFormat(text: string, taken: StructureFormat): StructureFormat | undefined {
  return taken.recognizes(text) ? undefined : STRUCTURE_FORMATS.find((format) => format.recognizes(text))
}

/** The format that a file name promises. */
export function detectByName(fileName: string): StructureFormat | undefined {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  const extension = /\.([^.]+)$/.exec(base)?.[1]?.toLowerCase()
  return (
    STRUCTURE_FORMATS.find((format) => format.fileNames?.test(base)) ??
    STRUCTURE_FORMATS.find((format) => extension !== undefined && format.extensions.includes(extension))
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

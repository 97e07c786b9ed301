import { AppError } from '../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import { faultOfFileName } from '../page/file-names.ts'
import type { FileContent } from '../store/port/file-store.ts'
import { RECORD_ERRORS } from './errors.ts'

/** The field of a record that lists its files. The server alone writes it. */
export const FILES_FIELD = 'files'

/** A file of a record: a name, and a content that is kept under its hash. */
export type AttachedFile = FileContent & {
  /** Relative, with `/` between folders. */
  readonly name: string
  /** Media type, told by the name. */
  readonly type: string
  readonly createdAt: string
}

/** Files of one record; what is more belongs into an archive. */
export const MOST_FILES = 1000

/** The files of a record, as its document lists them. */
export function filesOf(document: JsonObject): readonly AttachedFile[] {
  const files = ownField(document, FILES_FIELD)
  return isJsonArray(files) ? files.filter(isAttachedFile) : []
}

function isAttachedFile(value: Json): value is AttachedFile & JsonObject {
  return (
    isJsonObject(value) &&
    typeof value.name === 'string' &&
    typeof value.sha256 === 'string' &&
    typeof value.size === 'number'
  )
}

/** Refuses a name that a file cannot have here: it becomes a path when files are unpacked elsewhere. */
export function assertFileName(name: string): void {
  const problem = faultOfFileName(name)
  if (problem === null) return
  throw new AppError(
    RECORD_ERRORS.badFileName,
    `A file cannot be called ${JSON.stringify(name.slice(0, 80))}: ${problem}.`,
    {
      path: 'name',
      hint: 'Use a relative name with / between folders, such as relax/OUTCAR.gz.',
    },
  )
}

/** Media types by the extensions of names. None of them is shown as a page, whatever a browser would do with it. */
const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
  out: 'text/plain',
  in: 'text/plain',
  cif: 'chemical/x-cif',
  xyz: 'chemical/x-xyz',
  pdb: 'chemical/x-pdb',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
  gz: 'application/gzip',
  zip: 'application/zip',
  tar: 'application/x-tar',
  aiida: 'application/zip',
  h5: 'application/x-hdf5',
  hdf5: 'application/x-hdf5',
}

/** Texts of VASP that have no extension. */
const VASP_TEXT = /(?:^|\/)(?:POSCAR|CONTCAR|XDATCAR|INCAR|KPOINTS|OUTCAR|OSZICAR|EIGENVAL|DOSCAR|PROCAR|IBZKPT|PCDAT)$/

/** Tells the media type of a file by its name. */
export function mediaTypeOfName(name: string): string {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (Object.hasOwn(TYPES, extension)) return TYPES[extension] as string
  return VASP_TEXT.test(name) ? 'text/plain' : 'application/octet-stream'
}

/** The files with another one, in the place of one of its name. */
export function withFile(files: readonly AttachedFile[], file: AttachedFile): readonly AttachedFile[] {
  const others = files.filter(({ name }) => name !== file.name)
  if (others.length >= MOST_FILES) {
    throw new AppError(RECORD_ERRORS.tooManyAttached, `A record has at most ${MOST_FILES} files.`, {
      limit: MOST_FILES,
      hint: 'Put files that belong together into one archive.',
    })
  }
  return [...others, file].sort((one, other) => (one.name < other.name ? -1 : 1))
}

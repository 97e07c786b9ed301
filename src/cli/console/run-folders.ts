import type { OutputFormat } from '../../calculations/calculation.ts'
import { kindOfFile, type LocalFile } from '../../calculations/runs/output-file.ts'
import { filesByFolder, isCalledLikeAnOutput } from '../../calculations/runs/runs-of-files.ts'
import type { ImportIntent } from './structure-sources.ts'

/** A folder that may hold calculations, with all files that are in it. */
export interface RunFolder {
  /** Empty for the one that the command is run in. */
  readonly folder: string
  readonly files: readonly LocalFile[]
}

/** The folders of some files in which one is called like an output, or is one of JSON by its beginning. */
export async function runFolders(paths: readonly string[], intent: ImportIntent): Promise<readonly RunFolder[]> {
  const isLimited = isOtherwiseMeant(intent)
  const meant: LocalFile[] = []
  for (const path of paths) if (!isLimited || !(await isShared(path))) meant.push({ name: path, path })
  const found: RunFolder[] = []
  for (const [folder, files] of filesByFolder(meant)) {
    if (await hasOutput(files)) found.push({ folder: folder === '.' ? '' : folder, files })
  }
  return found
}

async function hasOutput(files: readonly LocalFile[]): Promise<boolean> {
  if (files.some(({ path }) => isCalledLikeAnOutput(path))) return true
  for (const { path } of files) if (JSON_NAME.test(path) && (await outputIn(path)) !== null) return true
  return false
}

/** Names that files of calculations have in common with files of records and of structures. */
const JSON_NAME = /\.json(?:\.gz)?$/i
const SHARED_NAME = /\.(?:json|(?:ext)?xyz)(?:\.gz)?$/i

/** Tells whether records or structures are meant, also where these have results: by a kind, a key, a format or a frame. */
export function isOtherwiseMeant({ kind, key, format, frame }: ImportIntent): boolean {
  return [kind, key, format, frame].some((flag) => flag !== undefined)
}

async function isShared(path: string): Promise<boolean> {
  return SHARED_NAME.test(path) && (await outputIn(path)) !== null
}

async function outputIn(path: string): Promise<OutputFormat | null> {
  const kind = await kindOfFile({ name: path, path })
  return kind === 'structure' ? null : kind
}

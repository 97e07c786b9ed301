import type { LocalFile } from '../../calculations/runs/output-file.ts'
import { filesByFolder, isCalledLikeAnOutput } from '../../calculations/runs/runs-of-files.ts'

/** A folder that may hold calculations, with all files that are in it. */
export interface RunFolder {
  readonly folder: string
  readonly files: readonly LocalFile[]
}

/** The folders of some files in which one is called like an output. */
export function runFolders(paths: readonly string[]): readonly RunFolder[] {
  return [...filesByFolder(paths.map((path) => ({ name: path, path })))].flatMap(([folder, files]) =>
    files.some(({ path }) => isCalledLikeAnOutput(path)) ? [{ folder, files }] : [],
  )
}

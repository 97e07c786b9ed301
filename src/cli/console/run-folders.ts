import { OUTPUT_FORMATS } from '../../calculations/formats/output-formats.ts'
import type { LocalFile } from '../../calculations/runs/output-file.ts'
import { filesByFolder } from '../../calculations/runs/runs-of-files.ts'

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

/** Records and structures are told by themselves where they are JSON. */
function isCalledLikeAnOutput(path: string): boolean {
  const name = path.replace(/\.gz$/i, '')
  return !/\.(?:json|ndjson|jsonl)$/i.test(name) && OUTPUT_FORMATS.some(({ fileNames }) => fileNames.test(name))
}

import { dirname, relative } from 'node:path'
import { OUTPUT_FORMATS } from '../../calculations/formats/output-formats.ts'
import type { LocalFile } from '../../calculations/runs/output-file.ts'
import { isSaveFolder } from '../../calculations/runs/runs-of-files.ts'

/** A folder that may hold calculations, with all files that are in it. */
export interface RunFolder {
  readonly folder: string
  readonly files: readonly LocalFile[]
}

/** The folders of some files in which one is called like an output. What pw.x has written into a folder of its own is part of the one that it is in. */
export function runFolders(paths: readonly string[]): readonly RunFolder[] {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const parent = dirname(path)
    const folder = isSaveFolder(parent) ? dirname(parent) : parent
    folders.set(folder, [...(folders.get(folder) ?? []), path])
  }
  return [...folders]
    .filter(([, files]) => files.some(isCalledLikeAnOutput))
    .map(([folder, files]) => ({ folder, files: files.map((path) => ({ name: relative(folder, path), path })) }))
}

/** Records and structures are told by themselves where they are JSON. */
function isCalledLikeAnOutput(path: string): boolean {
  const name = path.replace(/\.gz$/i, '')
  return !/\.(?:json|ndjson|jsonl)$/i.test(name) && OUTPUT_FORMATS.some(({ fileNames }) => fileNames.test(name))
}

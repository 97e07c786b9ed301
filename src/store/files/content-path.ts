import { join } from 'node:path'

/** Path of a content in its folder: two levels of at most 256 folders, since lists of a million entries are slow on some file systems. */
export function contentPath(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
}

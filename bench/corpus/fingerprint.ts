import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Tells one state of some files and folders from another: a hash of all that is in them. */
export function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) for (const file of filesUnder(path)) hash.update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function filesUnder(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)))
}

import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'

/** Puts what was written to a file on disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Renames a file such that a crash leaves either the old or the new state. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFile(dirname(to))
}

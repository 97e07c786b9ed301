import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A copy of a data directory, and a folder beside it for what else is needed. */
export interface Copy {
  readonly folder: string
  readonly dataDirectory: string
}

/** Copies a data directory for what changes it, and throws the copy away. */
export async function onACopy<Result>(dataDirectory: string, use: (copy: Copy) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(dirname(dataDirectory), 'copy-'))
  try {
    const copy = { folder, dataDirectory: join(folder, 'data') }
    cpSync(dataDirectory, copy.dataDirectory, { recursive: true })
    return await use(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

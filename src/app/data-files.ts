import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Progress } from '../kernel/worker-channel.ts'
import {
  type ContentFault,
  copyContents,
  describeFault,
  missingContents,
  verifyContents,
} from '../store/files/contents.ts'
import { giveTo } from '../store/files/give-to.ts'
import type { FileStore } from '../store/port/file-store.ts'
import type { ListedFiles } from '../store/port/named-files.ts'
import { readListedFiles as readOfDatabase } from '../store/postgres/care/listed-files.ts'
import { readListedFiles as readOfFile } from '../store/sqlite/care/listed-files.ts'
import { databaseFile, filesFolder, openFiles } from './open-services.ts'
import type { Config } from './settings.ts'

/** As many as a message has room for. */
const MOST_TOLD = 100

/** Sentences about files, the first ones, and how many more there are. */
export function describeFaults(faults: readonly ContentFault[], most = MOST_TOLD): readonly string[] {
  const more = faults.length - most
  return [
    ...faults.slice(0, most).map(describeFault),
    ...(more > 0 ? [`${more} more files are missing or damaged.`] : []),
  ]
}

/** Reads all files that the records of some data list; one sentence for each that is not what was stored. Of data that are damaged themselves, as far as that goes. */
export async function checkFiles(config: Config, areDamaged: boolean, progress: Progress): Promise<readonly string[]> {
  let listed: ListedFiles
  try {
    listed = config.databaseUrl === '' ? readOfFile(databaseFile(config)) : await readOfDatabase(config.databaseUrl)
  } catch (error) {
    return areDamaged ? [] : [`Which files the records list cannot be read: ${(error as Error).message}.`]
  }
  const files = openFiles(config)
  try {
    return describeFaults(await verifyContents(files, listed, progress))
  } finally {
    await files.close()
  }
}

/** Files that were brought to where the data are. */
export interface BroughtFiles {
  /** Those that the records list. */
  readonly count: number
  readonly bytes: number
  /** Those of them that had to be copied. */
  readonly copied: number
  readonly faults: readonly ContentFault[]
}

export const NO_FILES: BroughtFiles = { count: 0, bytes: 0, copied: 0, faults: [] }

export interface BringTerms {
  readonly progress: Progress
  /** Whether those that are whole are brought where others are not. */
  readonly takesPart: boolean
}

/** Where files are brought to. */
export interface FilesTarget {
  readonly files: FileStore
  /** The data directory that they belong to. */
  readonly data: string
}

/** Brings the files that are listed to where data are, each verified; where some are missing, none or those that are there. The target is closed. */
export async function bringFiles(
  from: FileStore,
  { files: to, data }: FilesTarget,
  listed: ListedFiles,
  { progress, takesPart }: BringTerms,
): Promise<BroughtFiles> {
  const { count, bytes } = listed
  try {
    if (count === 0) return NO_FILES
    const missing = takesPart ? [] : await missingContents(from, listed)
    if (missing.length > 0) return { count, bytes, copied: 0, faults: missing }
    const copied = await copyContents(from, to, listed, { progress, verifies: true })
    return { count, bytes, copied: copied.count, faults: copied.faults }
  } finally {
    await to.close()
    await giveFilesTo(data)
  }
}

/** Files belong to whom the data belong to. */
async function giveFilesTo(data: string): Promise<void> {
  const folder = filesFolder({ data })
  const database = join(data, 'quarry.db')
  if (existsSync(folder)) await giveTo(folder, statSync(existsSync(database) ? database : data))
}

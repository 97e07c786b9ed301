import type { Progress } from '../kernel/worker-channel.ts'
import { BackupFolder } from '../store/files/backup-folder.ts'
import type { CopiedContents } from '../store/files/contents.ts'
import type { PrunedContents } from '../store/port/named-files.ts'
import { readListedFiles, readListedFilesIfOurs } from '../store/sqlite/care/listed-files.ts'
import type { Services } from './open-services.ts'
import { FILES_MARK } from './tend-files.ts'

export interface BackedUp {
  /** Contents that records of the backup list, all of them. */
  readonly count: number
  readonly bytes: number
  /** Where they are. */
  readonly folder: string
  /** Those that no backup beside it had. */
  readonly copied: CopiedContents
}

/** Phases of a backup, each with a progress of its own. */
export type BackupProgress = (phase: 'data' | 'files', done: number, total: number) => void

/** Writes a backup of the data, and then copies the contents that its records list into a folder beside it. */
export async function backUpData(
  { store, records }: Pick<Services, 'store' | 'records'>,
  file: string,
  progress: BackupProgress,
): Promise<BackedUp> {
  await keepContents(store, records.clock())
  await store.backup(file, (done, total) => progress('data', done, total))
  const folder = new BackupFolder(file)
  try {
    const listed = readListedFiles(file)
    const { count, bytes } = listed
    const told: Progress = (done, total) => progress('files', done, total)
    return { count, bytes, folder: folder.path, copied: await folder.add(file, listed, records.files, told) }
  } finally {
    await folder.close()
  }
}

/** Has servers keep what nothing names any more until the backup has it; a store that takes no writes removes nothing either. */
async function keepContents(store: Services['store'], now: number): Promise<void> {
  await store.writeMark(FILES_MARK, `backup ${now}`).catch(() => {})
}

export type DeletedFiles = PrunedContents

/** Removes contents beside a backup that no backup of its directory lists. */
export async function pruneContents(file: string): Promise<DeletedFiles> {
  const folder = new BackupFolder(file)
  try {
    return await folder.prune(readListedFilesIfOurs)
  } finally {
    await folder.close()
  }
}

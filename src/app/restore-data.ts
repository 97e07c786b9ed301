import { resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import type { Progress } from '../kernel/worker-channel.ts'
import { STORE_ERRORS } from '../store/errors.ts'
import { BackupFolder } from '../store/files/backup-folder.ts'
import type { Store } from '../store/port/store.ts'
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts'
import { nameOfDatabase, openPostgresReplacement } from '../store/postgres/rows/open-rows.ts'
import { checkFile } from '../store/sqlite/care/check/check-file.ts'
import type { CheckReport } from '../store/sqlite/care/check/findings.ts'
import { readListedFiles } from '../store/sqlite/care/listed-files.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { restoreBackup, withWholeCopy } from '../store/sqlite/restore-backup.ts'
import { openFileSource } from '../store/sqlite/rows/open-rows.ts'
import { type BroughtFiles, bringFiles, describeFaults, NO_FILES } from './data-files.ts'
import { moveAll } from './migrate-data.ts'
import { databaseFile, openFiles } from './open-services.ts'
import { ownActor, renewEdition } from './origin.ts'
import type { Config } from './settings.ts'

export interface Restoration {
  /** Replaces the data that are there. */
  readonly force: boolean
  /** Restores records whose files are missing or damaged, too. */
  readonly isIncomplete?: boolean
  readonly progress?: Progress
}

export interface Restored {
  /** Where the data are now. */
  readonly place: string
  readonly files: BroughtFiles
}

/** Puts a verified backup in the place of the data that the settings name, which only `force` replaces; tells which place that is. */
export async function restoreData(file: string, config: Config, restoration: Restoration): Promise<Restored> {
  let files = NO_FILES
  const look = async (copy: string) => {
    files = await bringBackFiles(copy, file, config, restoration)
  }
  if (config.databaseUrl !== '') {
    const place = await restoreToDatabase(file, config.databaseUrl, restoration, look)
    return { place, files }
  }
  await restoreBackup(file, config.data, { force: restoration.force, look })
  const store = await openSqliteStore({ self: ownActor('command'), dataDirectory: config.data })
  await noteRestored(store, file, () => renewEdition(store))
  return { place: config.data, files }
}

/** Brings files back from beside a backup, before its records come back. */
async function bringBackFiles(
  copy: string,
  file: string,
  config: Config,
  { isIncomplete = false, progress = () => {} }: Restoration,
): Promise<BroughtFiles> {
  const folder = new BackupFolder(resolve(file))
  try {
    const brought = await bringFiles(
      folder.files,
      { files: openFiles(config), data: config.data },
      readListedFiles(copy),
      { progress, takesPart: isIncomplete },
    )
    if (brought.faults.length > 0 && !isIncomplete) throw incomplete(file, folder.path, brought)
    return brought
  } finally {
    await folder.close()
  }
}

const MOST_NAMED = 5

function incomplete(file: string, folder: string, { faults, count }: BroughtFiles): AppError {
  const named = describeFaults(faults, MOST_NAMED).join('\n')
  return new AppError(
    STORE_ERRORS.badBackup,
    `Of ${count} files that records of ${file} list, ${faults.length} are missing in ${folder} or damaged:\n${named}`,
    {
      hint: 'Nothing was restored. Bring them there, restore another backup, or restore without them with --incomplete.',
    },
  )
}

/** In one transaction: until all is there, the database is as it was. */
async function restoreToDatabase(
  file: string,
  url: string,
  { force, progress }: Restoration,
  look: (copy: string) => Promise<void>,
): Promise<string> {
  await withWholeCopy(file, async (copy) => {
    await look(copy)
    await moveAll(openFileSource(copy, file), () => openPostgresReplacement(url, { replaces: force }), {
      update: (_, done, total) => progress?.(done, total),
    })
  })
  await noteRestored(await openPostgresStore({ url, self: ownActor('command') }), file)
  return nameOfDatabase(url)
}

async function noteRestored(store: Store, file: string, first?: () => Promise<unknown>): Promise<void> {
  try {
    await first?.()
    await store.audit.note({ action: 'store.restored', kind: 'store', object: null, details: { file } })
  } finally {
    await store.close()
  }
}

/** Verifies the database of a data directory, whatever has become of it. Nothing is written. */
export function checkData(config: Config, progress: Progress): CheckReport {
  return checkFile(databaseFile(config), progress)
}

import { checkFile } from '../store/sqlite/care/check/check-file.ts'
import type { CheckReport } from '../store/sqlite/care/check/findings.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { restoreBackup } from '../store/sqlite/restore-backup.ts'
import { databaseFile } from './open-services.ts'
import { ownActor, renewEdition } from './origin.ts'
import type { Config } from './settings.ts'

/** Puts a verified backup in the place of the data directory's database, which only `force` replaces. */
export async function restoreData(file: string, config: Config, force: boolean): Promise<void> {
  await restoreBackup(file, config.data, { force })
  const store = await openSqliteStore({ self: ownActor('command'), dataDirectory: config.data })
  try {
    await renewEdition(store)
    await store.audit.note({ action: 'store.restored', kind: 'store', object: null, details: { file } })
  } finally {
    await store.close()
  }
}

/** Verifies the database of a data directory, whatever has become of it. Nothing is written. */
export function checkData(config: Config, progress: (done: number, total: number) => void): CheckReport {
  return checkFile(databaseFile(config), progress)
}

import type { Progress } from '../kernel/worker-channel.ts'
import type { Store } from '../store/port/store.ts'
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts'
import { nameOfDatabase, openPostgresReplacement } from '../store/postgres/rows/open-rows.ts'
import { checkFile } from '../store/sqlite/care/check/check-file.ts'
import type { CheckReport } from '../store/sqlite/care/check/findings.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { restoreBackup, withWholeCopy } from '../store/sqlite/restore-backup.ts'
import { openFileSource } from '../store/sqlite/rows/open-rows.ts'
import { moveAll } from './migrate-data.ts'
import { databaseFile } from './open-services.ts'
import { ownActor, renewEdition } from './origin.ts'
import type { Config } from './settings.ts'

export interface Restoration {
  /** Replaces the data that are there. */
  readonly force: boolean
  readonly progress?: Progress
}

/** Puts a verified backup in the place of the data that the settings name, which only `force` replaces; tells which place that is. */
export async function restoreData(file: string, config: Config, restoration: Restoration): Promise<string> {
  if (config.databaseUrl !== '') return restoreToDatabase(file, config.databaseUrl, restoration)
  await restoreBackup(file, config.data, restoration)
  const store = await openSqliteStore({ self: ownActor('command'), dataDirectory: config.data })
  await noteRestored(store, file, () => renewEdition(store))
  return config.data
}

/** In one transaction: until all is there, the database is as it was. */
async function restoreToDatabase(file: string, url: string, { force, progress }: Restoration): Promise<string> {
  await withWholeCopy(file, (copy) =>
    moveAll(openFileSource(copy, file), () => openPostgresReplacement(url, { replaces: force }), {
      update: (_, done, total) => progress?.(done, total),
    }),
  )
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

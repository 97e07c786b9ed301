import { restoreBackup } from '../store/sqlite/care/restore-backup.ts'
import type { Config } from './settings.ts'

/** Puts a verified backup in the place of the data directory's database, which only `force` replaces. */
export async function restoreData(file: string, config: Config, force: boolean): Promise<void> {
  await restoreBackup(file, config.data, { force })
}

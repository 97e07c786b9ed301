import { checkFile } from '../store/sqlite/care/check/check-file.ts'
import type { CheckReport } from '../store/sqlite/care/check/findings.ts'
import { databaseFile } from './open-services.ts'
import type { Config } from './settings.ts'

/** Verifies the database of a data directory, whatever has become of it. Nothing is written. */
export function checkData(config: Config, progress: (done: number, total: number) => void): CheckReport {
  return checkFile(databaseFile(config), progress)
}

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { connect } from '../database.ts'
import { migrate } from '../schema/migrate.ts'
import { syncFile } from './durable-files.ts'
import { placeOf, takePlace } from './file-place.ts'

/**
 * Makes an empty database, which appears under its name only when it is complete: whoever finds an empty file there knows that
 * something else went wrong. When another process makes one at the same time, the first one counts.
 */
export function createDatabase(file: string, now: number): void {
  const partial = `${file}.${randomUUID()}.new`
  try {
    // Records and password hashes are nobody else's business on a shared machine.
    closeSync(openSync(partial, 'wx', 0o600))
    const connection = connect(partial, 'write')
    try {
      migrate(connection, now)
    } finally {
      connection.close()
    }
    // It belongs to the owner of its directory, also when root makes it: a service has to open it later.
    takePlace(partial, placeOf(file))
    syncFile(partial)
    giveName(partial, file)
    syncFile(dirname(file))
  } finally {
    rmSync(partial, { force: true })
  }
}

/** A link never takes the place of another file; not every file system has them. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file)
  } catch (error) {
    if (existsSync(file)) return
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    renameSync(partial, file)
  }
}

import { resolve } from 'node:path'
import { moveRows } from '../store/mover/move-rows.ts'
import type { RowSource } from '../store/port/rows.ts'
import { writeBackup } from '../store/sqlite/care/back-up.ts'
import { openNewFileTarget } from '../store/sqlite/rows/open-rows.ts'

type Progress = (done: number, total: number) => void

/** Writes the rows of any store to a file that is a backup, and that a data directory can have as its database. */
export function writePortableBackup(source: RowSource, file: string, progress: Progress): Promise<void> {
  const target = resolve(file)
  const write = async (partial: string): Promise<null> => {
    const rows = openNewFileTarget(partial, target)
    try {
      await moveRows(source, rows, { update: (_, done, total) => progress(done, total) })
    } finally {
      await rows.close()
    }
    return null
  }
  return writeBackup(target, write, progress)
}

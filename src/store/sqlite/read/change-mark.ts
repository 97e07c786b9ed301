import { closeSync, openSync, readSync } from 'node:fs'
import type { Connection } from '../database.ts'

/** Tells whether any process has committed anything: then it gives another number than before. */
export interface ChangeMark {
  read(): number
  close(): void
}

/** The header of the shared index of the log (https://sqlite.org/walformat.html#walidxfmt), which every commit writes anew. */
const HEADER_BYTES = 48
const CHANGE_COUNT = 8
const CHECKSUM = 24
const CHECKSUM_BITS = 20

/**
 * Reads the count of commits where SQLite itself keeps it, which costs a third of asking SQLite. The checksum of the log
 * tells counts apart that begin anew after a crash. A header that is being written gives one more number, and no harm.
 */
export function changeMark(connection: Connection, file: string): ChangeMark {
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  // SQLite maps the index at the first read, and keeps it for as long as the connection is open.
  dataVersion.get()
  const index = openIndex(file)
  if (index === null) return { read: () => dataVersion.get() as number, close() {} }
  const header = Buffer.alloc(HEADER_BYTES)
  return {
    read() {
      readSync(index, header, 0, HEADER_BYTES, 0)
      const checksum = header.readUInt32LE(CHECKSUM) >>> (32 - CHECKSUM_BITS)
      return header.readUInt32LE(CHANGE_COUNT) * 2 ** CHECKSUM_BITS + checksum
    },
    close: () => closeSync(index),
  }
}

/** Null where there is no such file: the database is on a medium that cannot be written, and nobody commits. */
function openIndex(file: string): number | null {
  try {
    return openSync(`${file}-shm`, 'r')
  } catch {
    return null
  }
}

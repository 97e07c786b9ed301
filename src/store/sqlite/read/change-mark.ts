import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Connection } from '../database.ts'

/** Tells whether any process has committed anything: then it gives another number than before. */
export type ChangeMark = () => number

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
  const index = openIndex(`${file}-shm`)
  if (index === null) return () => dataVersion.get() as number
  const header = Buffer.alloc(HEADER_BYTES)
  return () => {
    readSync(index, header, 0, HEADER_BYTES, 0)
    const checksum = header.readUInt32LE(CHECKSUM) >>> (32 - CHECKSUM_BITS)
    return header.readUInt32LE(CHANGE_COUNT) * 2 ** CHECKSUM_BITS + checksum
  }
}

interface OpenIndex {
  readonly descriptor: number
  readonly inode: number
}

/**
 * The indexes that are open, for as long as the process lives: closing any descriptor of a file makes a process lose all the locks that it
 * has on it, those of SQLite included (https://sqlite.org/howtocorrupt.html, 2.2). One that was deleted nobody has locks on.
 */
const opened = new Map<string, OpenIndex>()

/** Null where there is no such file: the database is on a medium that cannot be written, and nobody commits. */
function openIndex(file: string): number | null {
  const inode = statSync(file, { throwIfNoEntry: false })?.ino
  if (inode === undefined) return null
  const known = opened.get(file)
  if (known?.inode === inode) return known.descriptor
  if (known !== undefined && fstatSync(known.descriptor).nlink === 0) closeSync(known.descriptor)
  try {
    const descriptor = openSync(file, 'r')
    opened.set(file, { descriptor, inode })
    return descriptor
  } catch {
    return null
  }
}

import { readFileSync } from 'node:fs'
import { pagesInLog } from './write-ahead-log.ts'

/** Where the header of a file says that it has a log (https://sqlite.org/fileformat2.html#file_format_version_numbers). */
const JOURNAL_BYTES = [18, 19]
const NO_LOG = 1

/** A database as it is seen through so many frames of its log, as bytes that SQLite can open in memory: neither file is touched. */
export function imageOf(file: string, frames: number): Buffer {
  const alone = readFileSync(file)
  let size = alone.length
  let end = size
  for (const { page, bytes, pages } of pagesInLog(file, frames)) {
    end = Math.max(end, page * bytes.length)
    if (pages > 0) size = pages * bytes.length
  }
  const image = Buffer.alloc(end)
  alone.copy(image)
  for (const { page, bytes } of pagesInLog(file, frames)) bytes.copy(image, (page - 1) * bytes.length)
  for (const at of JOURNAL_BYTES) if (at < end) image.writeUInt8(NO_LOG, at)
  return image.subarray(0, size)
}

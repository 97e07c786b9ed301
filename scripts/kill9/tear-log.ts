import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { readLog } from '../../src/store/sqlite/care/check/write-ahead-log.ts'
import { PAGE } from '../../test/support/damage.ts'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const SALTS = { from: 16, to: 8, length: 8 }

/**
 * Puts behind what counts in a log the beginning of a frame that never reached the disk whole, as a machine leaves it that loses its
 * power in the middle of a write. Tells whether there was a log: its header is on disk before the first frame is begun.
 */
export function tearLog(file: string): boolean {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) < LOG_HEADER_BYTES) return false
  const { frames, damage } = readLog(file)
  if (damage !== null) throw new Error(`the log is damaged before it is torn: ${damage}`)
  const log = openSync(`${file}-wal`, 'r+')
  try {
    const torn = Buffer.alloc(FRAME_HEADER_BYTES + PAGE / 2, 0x5a)
    torn.writeUInt32BE(1, 0)
    torn.writeUInt32BE(0, 4)
    readSync(log, torn, SALTS.to, SALTS.length, SALTS.from)
    writeSync(log, torn, 0, torn.length, LOG_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + PAGE))
    return true
  } finally {
    closeSync(log)
  }
}

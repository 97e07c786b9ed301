import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { explainFileFault } from '../../../../kernel/file-fault.ts'
import type { Progress } from '../../../../kernel/worker-channel.ts'
import { APPLICATION_ID, BUSY_TIMEOUT_MS, type Connection } from '../../base/database.ts'
import { checkOpened } from './check-database.ts'
import { type CheckReport, Findings } from './findings.ts'
import { type LogState, readLog } from './write-ahead-log.ts'

/** Bytes with which every SQLite database begins, and places behind them (https://sqlite.org/fileformat2.html#the_database_header). */
const MAGIC = 'SQLite format 3\u0000'
const HEADER = { bytes: 100, pageSize: 16, changes: 24, pages: 28, application: 68, counted: 92 } as const

/**
 * Verifies a database file, whatever has become of it: first by its bytes, then through SQLite as far as that gets. It writes
 * nothing and never fails; what it cannot read is a finding.
 */
export function checkFile(file: string, progress: Progress = () => {}): CheckReport {
  const findings = new Findings()
  const state = inspectFile(file, findings)
  if (state !== null) {
    const connection = findings.attempt('The database', () => connectFor(file, state.log, findings))
    if (connection !== null) {
      try {
        checkOpened(connection, findings, progress)
      } finally {
        connection.close()
      }
    }
  }
  return { findings: findings.read(), remarks: findings.remarks }
}

/** Leaves a damaged log to nobody: SQLite would begin the shared index anew, and lose what tells that more was written. */
function connectFor(file: string, log: LogState, findings: Findings): Connection | null {
  if (log.damage === null) return connectToDamaged(file)
  findings.remarks.push(
    'The rest was not looked at while the log is damaged: copy the database file alone, and check the copy.',
  )
  return null
}

/**
 * A connection that makes do with what there is of a file: SQLite refuses one that lost its end, or a part of its schema, unless it
 * is told that this is known.
 */
function connectToDamaged(file: string): Connection {
  const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  // Nothing is written: without it, better-sqlite3 does not let the next setting count.
  connection.unsafeMode(true)
  connection.pragma('writable_schema = ON')
  connection.pragma('trusted_schema = OFF')
  return connection
}

/** State of a non-empty file, from its bytes. */
export interface FileState {
  readonly size: number
  readonly log: LogState
  /** Whether it has the mark of Quarry's databases. */
  readonly isOurs: boolean
}

/** Looks at the bytes of a file and its log, in a few milliseconds; null when there is nothing for SQLite to read. */
export function inspectFile(file: string, findings: Findings): FileState | null {
  let head: FileHead
  try {
    head = readHead(file)
  } catch (error) {
    const { reason, hint } = explainFileFault(error, file, 'read')
    findings.add(`${file} cannot be read: ${reason}. ${hint}`)
    return null
  }
  if (head.size === 0) {
    findings.add(`${file} is empty (0 bytes): its content was lost.`)
    return null
  }
  const log = inspectLog(file, findings)
  const isOurs = isDatabase(head) && head.bytes.readUInt32BE(HEADER.application) === APPLICATION_ID
  findings.addAll(headFaults(head, isOurs, log.frames > 0))
  return { size: head.size, log, isOurs }
}

interface FileHead {
  readonly bytes: Buffer
  readonly size: number
}

/** The size is read last: a file that grows meanwhile is at least as long as its header says. */
function readHead(file: string): FileHead {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEADER.bytes)
    const read = readSync(descriptor, bytes, 0, HEADER.bytes, 0)
    return { bytes: bytes.subarray(0, read), size: fstatSync(descriptor).size }
  } finally {
    closeSync(descriptor)
  }
}

function inspectLog(file: string, findings: Findings): LogState {
  const log = findings.attempt('The write-ahead log', () => readLog(file))
  if (log === null) return { frames: 0, damage: 'it cannot be read' }
  if (log.damage !== null) {
    findings.add(`The write-ahead log ${file}-wal is damaged: ${log.damage}. What was written last is lost.`)
  }
  return log
}

function isDatabase({ bytes }: FileHead): boolean {
  return bytes.length === HEADER.bytes && bytes.toString('latin1', 0, MAGIC.length) === MAGIC
}

/** Checks marks and size; where a log has newer pages, the size of the file alone tells nothing. */
function* headFaults(head: FileHead, isOurs: boolean, hasLog: boolean): Generator<string> {
  const { bytes, size } = head
  if (!isDatabase(head)) {
    const beginning = JSON.stringify(bytes.toString('latin1', 0, 16))
    yield `The file is no SQLite database, or its first page is damaged: it begins with ${beginning}.`
    return
  }
  if (!isOurs) yield 'The file is an SQLite database, but not one of Quarry.'
  const pageSize = bytes.readUInt16BE(HEADER.pageSize)
  const isCounted = bytes.readUInt32BE(HEADER.changes) === bytes.readUInt32BE(HEADER.counted)
  if (hasLog || !isCounted) return
  const [pages, whole] = [bytes.readUInt32BE(HEADER.pages), Math.floor(size / pageSize)]
  if (whole < pages) yield `The file has been cut: ${pages - whole} of its ${pages} pages are missing.`
  else if (size % pageSize !== 0)
    yield `The file ends in the middle of a page: it has ${size} bytes, and pages of ${pageSize}.`
}

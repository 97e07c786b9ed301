import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { explainFileFault } from '../../../../kernel/file-fault.ts'
import { APPLICATION_ID, BUSY_TIMEOUT_MS, type Connection } from '../../base/database.ts'
import { checkOpened } from './check-database.ts'
import { type CheckReport, Findings } from './findings.ts'
import { imageOf, type LogState, readLog } from './write-ahead-log.ts'

/** Header of a database file (https://sqlite.org/fileformat2.html#the_database_header). */
export interface DatabaseHeader {
  readonly pageSize: number
  /** Number of pages in the file; null where the header cannot be trusted with it. */
  readonly pages: number | null
  /** The marks by which a program knows its files. */
  readonly application: number
  readonly schemaVersion: number
  /** Properties that no database of Quarry has, each as a whole clause. */
  readonly faults: readonly string[]
}

export const HEADER_BYTES = 100

const MAGIC = 'SQLite format 3\u0000'
const UTF8 = 1

/** Reads a header; null when the bytes are not those of an SQLite database at all. */
export function readHeader(bytes: Buffer): DatabaseHeader | null {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null
  const sizeField = bytes.readUInt16BE(16)
  const pageSize = sizeField === 1 ? 65_536 : sizeField
  const isCounted = bytes.readUInt32BE(24) === bytes.readUInt32BE(92)
  return {
    pageSize,
    pages: isCounted ? bytes.readUInt32BE(28) : null,
    application: bytes.readUInt32BE(68),
    schemaVersion: bytes.readUInt32BE(60),
    faults: [...faultsOf(bytes, pageSize)],
  }
}

function* faultsOf(bytes: Buffer, pageSize: number): Generator<string> {
  if (!isPageSize(pageSize)) yield `it gives ${pageSize} bytes as the size of a page`
  for (const [at, name] of [
    [18, 'writing'],
    [19, 'reading'],
  ] as const) {
    const version = bytes.readUInt8(at)
    if (version !== 1 && version !== 2) yield `it asks for version ${version} of the file format for ${name}`
  }
  if (bytes.readUInt8(20) !== 0) yield `it keeps ${bytes.readUInt8(20)} bytes of every page free`
  const shares = [...bytes.subarray(21, 24)].join(', ')
  if (shares !== '64, 32, 32') yield `its shares of a page are ${shares} instead of 64, 32, 32`
  const format = bytes.readUInt32BE(44)
  if (format !== 4) yield `it has schema format ${format}`
  const encoding = bytes.readUInt32BE(56)
  if (encoding !== UTF8) yield `it has text encoding ${encoding}`
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes))
}

/** A larger database is not held in memory. */
const MOST_IMAGE_BYTES = 2 ** 30

type Progress = (done: number, total: number) => void

/**
 * Verifies a database file, whatever has become of it: first by its bytes, then through SQLite as far as that gets. It writes
 * nothing and never fails; what it cannot read is a finding.
 */
export function checkFile(file: string, progress: Progress = () => {}): CheckReport {
  const findings = new Findings()
  const state = inspectFile(file, findings)
  if (state !== null) {
    const connection = findings.attempt('The database', () => connectFor(file, state, findings))
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

/**
 * Connects without a damaged log, which SQLite must not see: it would begin the shared index anew, and lose what tells that more was
 * written. The next server would then start as if nothing were lost.
 */
function connectFor(file: string, { log, size }: FileState, findings: Findings): Connection | null {
  if (log.damage === null) return connectToDamaged(file)
  if (size <= MOST_IMAGE_BYTES) return asDamaged(new Database(imageOf(file, log.frames), { readonly: true }))
  findings.remarks.push(
    'The file is too large to be looked into while its log is damaged: copy both, and check the copy without its log.',
  )
  return null
}

/**
 * A connection that makes do with what there is of a file: SQLite refuses one that lost its end, or a part of its schema, unless it
 * is told that this is known.
 */
export function connectToDamaged(file: string): Connection {
  return asDamaged(new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS }))
}

function asDamaged(connection: Connection): Connection {
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
  const header = readHeader(head.bytes)
  findings.addAll(headFaults(head, header, log.frames > 0))
  return { size: head.size, log, isOurs: header?.application === APPLICATION_ID }
}

interface FileHead {
  readonly bytes: Buffer
  readonly size: number
}

/** The size is read last: a file that grows meanwhile is at least as long as its header says. */
function readHead(file: string): FileHead {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEADER_BYTES)
    const read = readSync(descriptor, bytes, 0, HEADER_BYTES, 0)
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

/** Checks header and size; where a log has newer pages, the size of the file alone tells nothing. */
function* headFaults({ bytes, size }: FileHead, header: DatabaseHeader | null, hasLog: boolean): Generator<string> {
  if (header === null) {
    const beginning = JSON.stringify(bytes.toString('latin1', 0, 16))
    yield `The file is no SQLite database, or its first page is damaged: it begins with ${beginning}.`
    return
  }
  for (const fault of header.faults) yield `The header of the file is damaged: ${fault}.`
  if (header.application !== APPLICATION_ID) yield 'The file is an SQLite database, but not one of Quarry.'
  if (hasLog || header.faults.length > 0) return
  const rest = size % header.pageSize
  const pages = (size - rest) / header.pageSize
  if (header.pages !== null && pages < header.pages) {
    yield `The file has been cut: ${header.pages - pages} of its ${header.pages} pages are missing.`
  } else if (rest !== 0) {
    yield `The file ends in the middle of a page: it has ${size} bytes, and pages of ${header.pageSize}.`
  }
}

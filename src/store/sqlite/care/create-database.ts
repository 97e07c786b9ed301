import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { currentRunner, presenceOf } from '../../../kernel/file-fault.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { connect } from '../base/database.ts'
import { migrate } from '../schema/migrate.ts'

/** Puts what was written to a file on disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Renames a file such that a crash leaves either the old or the new state. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFile(dirname(to))
}

const ROOT = 0
/** Records and password hashes are nobody else's business on a shared machine. */
const PRIVATE_MODE = 0o600

/** Owner and permissions of a file, because of where it is put. */
export interface FilePlace {
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** Owner and permissions for a file at `target`: those of the file that it replaces, for its users; else private to the directory's owner. */
export function placeOf(target: string): FilePlace {
  const isReplaced = presenceOf(target) === 'there'
  const { uid, gid, mode } = statSync(isReplaced ? target : dirname(target))
  return { uid, gid, mode: isReplaced ? mode & 0o777 : PRIVATE_MODE }
}

/** Refuses to replace somebody's file by one that they could not open any more. Only root can give files away. */
export function assertMayTake(target: string, { uid }: FilePlace): void {
  const runner = currentRunner()
  if (runner === null || runner.uid === ROOT || runner.uid === uid || presenceOf(target) !== 'there') return
  const [owner, self] = [runner.nameOf(uid), runner.nameOf(runner.uid)]
  throw new AppError(
    STORE_ERRORS.ownerWouldChange,
    `${target} belongs to ${owner}; what ${self} puts in its place would belong to ${self}, and ${owner} could not open it. Nothing was changed.`,
    { hint: `Run the command as that user: sudo -u ${owner} …` },
  )
}

/** Makes a file the owner's of its place, where this runs as root; as anybody else it is this user's already. */
export function takePlace(file: string, { uid, gid, mode }: FilePlace): void {
  // The owner of the directory could put a link in the file's place and have another file given away.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if (process.getuid?.() === ROOT) fchownSync(descriptor, uid, gid)
    fchmodSync(descriptor, mode)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes an empty database that appears under its name when complete: an empty file there means a fault. Of two at a time, the first counts. */
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

import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Reason that a file cannot be used, and a remedy. Both finish a message that has named the file. */
export interface FileFault {
  readonly reason: string
  readonly hint: string
}

export type FileUse = 'read' | 'write'

export interface FileOwner {
  readonly path: string
  readonly isDirectory: boolean
  readonly uid: number
  /** The permission bits, such as 0o600. */
  readonly mode: number
}

/** User that a program runs as, and names of users. */
export interface Runner {
  readonly uid: number
  readonly nameOf: (uid: number) => string
}

/** Files that SQLite keeps beside a database, and needs as much as it. */
const COMPANIONS = ['', '-wal', '-shm']

/** Finds out why a file could not be opened or written: the path in the way, its owner and mode, who runs the program, and the remedy. */
export function explainFileFault(error: unknown, file: string, use: FileUse): FileFault {
  const runner = currentRunner()
  const denied = runner === null ? null : findDenied(error, file, use)
  if (denied !== null && runner !== null) return explainDenial(denied, file, runner)
  return explainOther(error, file)
}

/** Tells whether there is something at a path; `hidden`: a directory on the way to it keeps that from this user. */
export function presenceOf(path: string): 'there' | 'missing' | 'hidden' {
  try {
    statSync(path)
    return 'there'
  } catch (error) {
    return isRefusal(error) ? 'hidden' : 'missing'
  }
}

/** Says what keeps the user out of `denied`, which is the file that was wanted or something that it takes to reach it. */
export function explainDenial(denied: FileOwner, wanted: string, { uid, nameOf }: Runner): FileFault {
  const { path, isDirectory } = denied
  const what = path === wanted ? 'it' : isDirectory ? `the directory ${path}` : path
  const owner = nameOf(denied.uid)
  const who = `${what} belongs to ${owner} (mode ${modeText(denied)})`
  const bits = isDirectory ? 'u+rwx' : 'u+rw'
  if (denied.uid === uid) {
    return { reason: `${who}, whom this mode keeps out, and this runs as ${owner}`, hint: `chmod ${bits} ${path}` }
  }
  return {
    reason: `${who}, and this runs as ${nameOf(uid)}`,
    hint: `Run it as that user, with sudo -u ${owner}; or give it to the other one: sudo chown ${nameOf(uid)} ${path}`,
  }
}

/** Reads users' names from the text of a password file; one that it does not know is called by number. */
export function userNames(passwd: string): (uid: number) => string {
  const names = new Map<string, string>()
  for (const line of passwd.split('\n')) {
    const [name = '', , uid = ''] = line.split(':')
    if (name !== '' && !names.has(uid)) names.set(uid, name)
  }
  return (uid) => names.get(String(uid)) ?? `#${uid}`
}

/** Null where the system has no users with numbers. */
export function currentRunner(): Runner | null {
  const uid = process.getuid?.()
  if (uid === undefined) return null
  let passwd = ''
  try {
    passwd = readFileSync('/etc/passwd', 'utf8')
  } catch {
    // Users have numbers all the same.
  }
  return { uid, nameOf: userNames(passwd) }
}

/** Walks to a file from the root and tells where this user is stopped; null when nothing stops it. */
function findDenied(error: unknown, file: string, use: FileUse): FileOwner | null {
  for (const directory of ancestorsOf(file)) {
    // Nothing is denied where nothing is, unless it was to be made.
    if (presenceOf(directory) === 'missing') return isRefusal(error) ? ownerOf(dirname(directory)) : null
    if (!isAllowed(directory, constants.X_OK)) return ownerOf(directory)
  }
  const wish = use === 'write' ? constants.R_OK | constants.W_OK : constants.R_OK
  for (const path of COMPANIONS.map((suffix) => file + suffix)) {
    if (presenceOf(path) === 'there' && !isAllowed(path, wish)) return ownerOf(path)
  }
  const directory = dirname(file)
  return use === 'write' && !isAllowed(directory, constants.W_OK) ? ownerOf(directory) : null
}

function isRefusal(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}

function ancestorsOf(file: string): readonly string[] {
  const parent = dirname(file)
  return parent === file ? [] : [...ancestorsOf(parent), parent]
}

function isAllowed(path: string, wish: number): boolean {
  try {
    accessSync(path, wish)
    return true
  } catch {
    return false
  }
}

function ownerOf(path: string): FileOwner | null {
  try {
    const stats = statSync(path)
    return { path, isDirectory: stats.isDirectory(), uid: stats.uid, mode: stats.mode & 0o777 }
  } catch {
    return null
  }
}

function explainOther(error: unknown, file: string): FileFault {
  const { code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>
  if (presenceOf(dirname(file)) === 'missing') {
    return { reason: `the directory ${dirname(file)} does not exist`, hint: 'Make it, or name another one.' }
  }
  if (code === 'ENOSPC' || code === 'SQLITE_FULL' || code === 'EDQUOT') {
    return { reason: 'there is no room left on its disk', hint: `Make room where ${dirname(file)} is.` }
  }
  if (code === 'EROFS') {
    return {
      reason: 'its disk is mounted for reading only',
      hint: `Name a directory on another disk than ${dirname(file)}.`,
    }
  }
  if (code === 'EISDIR') return { reason: 'it is a directory', hint: 'Name a file.' }
  if (code === 'ENOENT') return { reason: 'there is no such file', hint: 'Check its name.' }
  return {
    reason: withOwner(message, file),
    hint: 'It must be readable and writable for the user that runs Quarry, and intact.',
  }
}

/** Message of the system, with the file's owner: the obstacle may be something else than permissions. */
function withOwner(message: string, file: string): string {
  const [owner, runner] = [ownerOf(file), currentRunner()]
  if (owner === null || runner === null) return message
  const who = `it belongs to ${runner.nameOf(owner.uid)}, mode ${modeText(owner)}; this runs as ${runner.nameOf(runner.uid)}`
  return `${message} (${who})`
}

function modeText({ mode }: FileOwner): string {
  return mode.toString(8).padStart(3, '0')
}

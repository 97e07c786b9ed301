import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { newId } from '../kernel/names.ts'
import type { Actor, Origin } from '../store/port/audit.ts'
import type { Store } from '../store/port/store.ts'

/** From where somebody acts who runs the program: as that user of the system. */
export function commandOrigin(): Origin {
  return { via: 'command', address: `os:${systemUser()}`, request: null }
}

/** Actor when nobody has logged in: the one who runs the program, by a command or by the server itself. */
export function ownActor(via: 'command' | 'server'): Actor {
  return { ...commandOrigin(), via, user: null, account: null }
}

/** Containers run users who have no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

const MARK = 'edition'

/** Names the line of history that the data is in, for good: within it, a change counter never means two states. */
export async function readEdition(store: Store): Promise<string> {
  const known = await store.readMark(MARK)
  if (known !== null) return known
  const edition = newId()
  return (await store.moveMark(MARK, null, edition)) ? edition : readEdition(store)
}

/** Begins another line of history: the data has gone back in time. */
export async function renewEdition(store: Store): Promise<string> {
  const [name, edition] = newEdition()
  await store.writeMark(name, edition)
  return edition
}

/** The mark of a line of history that begins now. */
export function newEdition(): readonly [name: string, value: string] {
  return [MARK, newId()]
}

/** Mark of the key under which links to files are signed. */
const LINKS_MARK = 'file-links'
const LINK_KEY_BYTES = 32

/** Reads the key of links to files, which every process of a server has; the first one to ask makes it. */
export async function readLinkKey(store: Store): Promise<string> {
  const known = await store.readMark(LINKS_MARK)
  if (known !== null) return known
  const key = randomBytes(LINK_KEY_BYTES).toString('base64url')
  return (await store.moveMark(LINKS_MARK, null, key)) ? key : readLinkKey(store)
}

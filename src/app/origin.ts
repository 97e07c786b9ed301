import { userInfo } from 'node:os'
import type { Actor, Origin } from '../store/port/audit.ts'

/** From where somebody acts who runs the program: as that user of the system. */
export function commandOrigin(): Origin {
  return { via: 'command', address: `os:${systemUser()}`, request: null }
}

/** Who acts when nobody has logged in: the one who runs the program, by a command or by the server itself. */
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

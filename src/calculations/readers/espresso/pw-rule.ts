import type { PwBlock } from './pw-lines.ts'
import type { PwState } from './pw-state.ts'

/** Reads a line that begins with certain words; gives what reads the lines behind it, where these belong to it. */
export type PwRule = (state: PwState, text: string, line: number) => PwBlock | null

/** Rules by the words with which lines begin. */
export type Rules = readonly (readonly [prefix: string, rule: PwRule])[]

/** A rule without lines behind it. */
export function once(read: (state: PwState, text: string, line: number) => void): PwRule {
  return (state, text, line) => {
    read(state, text, line)
    return null
  }
}

/** A rule that leaves the line to the rest as well: what it says is used in part. */
export function alsoUnread(read: (state: PwState, text: string) => void): PwRule {
  return once((state, text, line) => {
    read(state, text)
    state.unread.take(text, line)
  })
}

/** A rule for what other lines say too. */
export const IGNORED: PwRule = once(() => {})

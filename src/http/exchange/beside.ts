import type { Warning } from '../../kernel/warnings.ts'

/** Headers by name, in lower case. `location` is a path: the client gets the whole address. */
export type Headers = Readonly<Record<string, string>>

/** Parts beside `data` in the envelope of a success, and in its headers. */
export interface Beside {
  /** JSON text that follows the data: empty, or `,"count":n,"warnings":[…]` or one of the two. */
  readonly text: string
  readonly headers: Headers
}

/** The header that says how many warnings an answer has; without any, there is none. */
const WARNINGS_HEADER = 'x-warnings'
/** The header that says how many records match in all, where that was asked for. */
const TOTAL_HEADER = 'x-total-count'

export const NOTHING_BESIDE: Beside = { text: '', headers: {} }

/** Puts beside the data the number of all records that match, where it was asked for, and warnings, where there are any. */
export function besideOf(warnings: readonly Warning[], total: number | null = null): Beside {
  if (total === null && warnings.length === 0) return NOTHING_BESIDE
  const counted =
    total === null ? NOTHING_BESIDE : { text: `,"count":${total}`, headers: { [TOTAL_HEADER]: String(total) } }
  if (warnings.length === 0) return counted
  return {
    text: `${counted.text},"warnings":${JSON.stringify(warnings)}`,
    headers: { ...counted.headers, [WARNINGS_HEADER]: String(warnings.length) },
  }
}

/** The header that has the warnings of an answer that has no envelope: an export. */
const LIST_HEADER = 'x-warning-list'
/** Clients of HTTP read 16 KiB of headers and no more. */
const LONGEST_LIST = 4 * 1024

/** The headers of an answer that has no envelope; warnings that do not fit are counted all the same. */
export function warningHeaders(warnings: readonly Warning[]): Headers {
  let told = warnings
  while (asAscii(told).length > LONGEST_LIST) told = told.slice(0, -1)
  return warnings.length === 0 ? {} : { ...besideOf(warnings).headers, [LIST_HEADER]: asAscii(told) }
}

/** JSON of characters that a header may have. */
function asAscii(warnings: readonly Warning[]): string {
  return JSON.stringify(warnings).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

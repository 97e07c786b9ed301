import type { Warning } from '../../kernel/warnings.ts'

/** What stands beside `data` in the envelope of a success, and in its headers. */
export interface Beside {
  /** JSON text that follows the data: empty, or `,"warnings":[…]`. */
  readonly text: string
  /** Name, value, name, value. */
  readonly headers: readonly string[]
}

/** The header that says how many warnings an answer has; without any, there is none. */
const COUNT_HEADER = 'x-warnings'

export const NOTHING_BESIDE: Beside = { text: '', headers: [] }

/** Puts warnings beside the data, where there are any. */
export function besideOf(warnings: readonly Warning[]): Beside {
  if (warnings.length === 0) return NOTHING_BESIDE
  return { text: `,"warnings":${JSON.stringify(warnings)}`, headers: [COUNT_HEADER, String(warnings.length)] }
}

/** The headers by name. */
export function besideHeaders({ headers }: Beside): Record<string, string> {
  const named: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? ''
  return named
}

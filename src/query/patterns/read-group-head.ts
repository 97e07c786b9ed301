import type { PatternFlags } from './pattern-flags.ts'
import { PatternProblem } from './pattern-problem.ts'
import type { PatternReader } from './pattern-reader.ts'

/** What an opening parenthesis begins. */
export type GroupHead =
  | { readonly kind: 'group'; readonly re2: string; readonly flags: PatternFlags }
  /** `(?i)`: flags for the rest of the enclosing group. */
  | { readonly kind: 'flags'; readonly flags: PatternFlags }
  | { readonly kind: 'comment' }

const UNSUPPORTED_HEADS: readonly (readonly [head: RegExp, what: string])[] = [
  [/\?=/y, 'The look-ahead (?=…)'],
  [/\?!/y, 'The negative look-ahead (?!…)'],
  [/\?<=/y, 'The look-behind (?<=…)'],
  [/\?<!/y, 'The negative look-behind (?<!…)'],
  [/\?>/y, 'The atomic group (?>…)'],
  [/\?\|/y, 'The branch reset group (?|…)'],
  [/\?\(/y, 'The conditional group (?(…)…)'],
  [/\?P=/y, 'The back-reference (?P=…)'],
  [/\?(?:R|P>|&|[+-]?[0-9])/y, 'A subroutine call or recursion'],
  [/\?C/y, 'A callout'],
  [/\*/y, 'A control verb (*…)'],
]

const NAMED = /\?(?:P?<([A-Za-z_][A-Za-z0-9_]{0,31})>|'([A-Za-z_][A-Za-z0-9_]{0,31})')/y
const FLAGS = /\?(\^?)([A-Za-z]*)(?:-([A-Za-z]*))?([:)])/y

/** Reads what follows an opening parenthesis, which has been taken already. */
export function readGroupHead(reader: PatternReader, flags: PatternFlags, start: number): GroupHead {
  for (const [head, what] of UNSUPPORTED_HEADS) {
    if (reader.takeMatch(head) !== null) throw new PatternProblem('unsupported', what, start)
  }
  if (reader.peek() !== '?') return { kind: 'group', re2: '(', flags }
  if (reader.takeText('?#')) return readComment(reader, start)
  const named = reader.takeMatch(NAMED)
  if (named !== null) return { kind: 'group', re2: `(?P<${named[1] ?? named[2]}>`, flags }
  const options = reader.takeMatch(FLAGS)
  if (options === null) throw new PatternProblem('malformed', 'The group head (? is not complete', start)
  const [, reset, on = '', off = '', end] = options
  const base = reset === '^' ? { i: false, m: false, s: false, x: false } : flags
  const changed = withLetters(withLetters(base, on, true, start), off, false, start)
  return end === ':' ? { kind: 'group', re2: '(?:', flags: changed } : { kind: 'flags', flags: changed }
}

function readComment(reader: PatternReader, start: number): GroupHead {
  if (reader.takeMatch(/[^)]*\)/y) === null)
    throw new PatternProblem('malformed', 'The comment (?# is never closed', start)
  return { kind: 'comment' }
}

function withLetters(flags: PatternFlags, letters: string, value: boolean, start: number): PatternFlags {
  let changed = flags
  for (const letter of letters) {
    if (!/[imsx]/.test(letter)) {
      throw new PatternProblem('unsupported', `The inline flag ${letter}`, start, 'The flags are i, m, s and x.')
    }
    changed = { ...changed, [letter]: value }
  }
  return changed
}

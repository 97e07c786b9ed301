import { PatternProblem, type PatternReader } from './pattern-reader.ts'

export type Escape =
  | { readonly kind: 'character'; readonly code: number }
  /** A set of characters, as the inside of a bracket class of RE2. */
  | { readonly kind: 'set'; readonly body: string }
  | { readonly kind: 'assertion'; readonly re2: string }
  /** `\A`: the start of the text. */
  | { readonly kind: 'textStart' }
  /** `\Z`: the end of the text, or before a final line feed. */
  | { readonly kind: 'softEnd' }

const CONTROL: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 }

/** PCRE's sets where RE2 has none or a smaller one: RE2's \s lacks the vertical tab, its \v is the vertical tab alone. */
const SETS: Readonly<Record<string, string>> = {
  d: '\\d',
  D: '\\D',
  w: '\\w',
  W: '\\W',
  s: '\\x09-\\x0d\\x20',
  S: '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{10ffff}',
  v: '\\x0a-\\x0d\\x{85}\\x{2028}\\x{2029}',
  V: '\\x00-\\x09\\x0e-\\x{84}\\x{86}-\\x{2027}\\x{202a}-\\x{10ffff}',
  h: '\\x09\\x20\\x{a0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}',
  H:
    '\\x00-\\x08\\x0a-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{180d}\\x{180f}-\\x{1fff}' +
    '\\x{200b}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}',
}

/** Sequences that only stand outside of a bracket class. */
const OUTSIDE_CLASS: Readonly<Record<string, Escape>> = {
  b: { kind: 'assertion', re2: '\\b' },
  B: { kind: 'assertion', re2: '\\B' },
  A: { kind: 'textStart' },
  z: { kind: 'assertion', re2: '\\z' },
  Z: { kind: 'softEnd' },
  N: { kind: 'set', body: '\\x00-\\x09\\x0b-\\x{10ffff}' },
}

const UNSUPPORTED: Readonly<Record<string, readonly [problem: string, hint?: string]>> = {
  g: ['\\g (a back-reference or a subroutine call)'],
  k: ['\\k (a back-reference)'],
  G: ['\\G (the end of the previous match)'],
  K: ['\\K (resetting the start of the match)'],
  C: ['\\C (a single byte)'],
  R: ['\\R (any line ending)', 'Write (?:\\r\\n|\\n|\\r).'],
  X: ['\\X (a grapheme cluster)'],
}

/** Reads what follows a backslash, which has been taken already. */
export function readEscape(reader: PatternReader, inClass: boolean): Escape {
  const start = reader.offset - 1
  if (reader.done) throw new PatternProblem('malformed', 'A backslash at the end escapes nothing', start)
  const letter = reader.take()
  const control = CONTROL[letter]
  if (control !== undefined) return { kind: 'character', code: control }
  const set = SETS[letter]
  if (set !== undefined) return { kind: 'set', body: set }
  if (inClass && letter === 'b') return { kind: 'character', code: 8 }
  const outside = OUTSIDE_CLASS[letter]
  if (outside !== undefined && !inClass) return outside
  if (letter === 'p' || letter === 'P') return readProperty(reader, letter, start)
  if (letter === 'x' || letter === 'o' || letter === 'c' || /[0-9]/.test(letter)) {
    return { kind: 'character', code: readCode(reader, letter, inClass, start) }
  }
  if (/[A-Za-z]/.test(letter)) throw unknownLetter(letter, start)
  return { kind: 'character', code: letter.codePointAt(0) as number }
}

function readProperty(reader: PatternReader, letter: string, start: number): Escape {
  const name = reader.takeMatch(/\{\^?[A-Za-z0-9_]{1,40}\}|[A-Z]/y)
  if (name === null) {
    throw new PatternProblem(
      'malformed',
      `\\${letter} needs the name of a Unicode property`,
      start,
      'Write \\p{Lu} or \\p{Greek}.',
    )
  }
  return { kind: 'set', body: `\\${letter}${name[0]}` }
}

function readCode(reader: PatternReader, letter: string, inClass: boolean, start: number): number {
  if (letter === 'c') return readControl(reader, start)
  if (letter === 'x') {
    const braced = reader.takeMatch(/\{([0-9A-Fa-f]{1,8})\}/y)
    const digits = braced?.[1] ?? reader.takeMatch(/[0-9A-Fa-f]{0,2}/y)?.[0]
    return checkedCode(Number.parseInt(digits || '0', 16), start)
  }
  if (letter === 'o') {
    const braced = reader.takeMatch(/\{([0-7]{1,11})\}/y)
    if (braced === null)
      throw new PatternProblem('malformed', '\\o needs octal digits in braces', start, 'Write \\o{101}.')
    return checkedCode(Number.parseInt(braced[1] as string, 8), start)
  }
  if (letter !== '0' && !inClass) {
    throw new PatternProblem('unsupported', `The back-reference \\${letter}`, start, 'Write the repeated text out.')
  }
  reader.offset -= 1
  const octal = reader.takeMatch(/[0-7]{1,3}/y)
  if (octal === null) throw new PatternProblem('malformed', `\\${letter} is no character`, start)
  return Number.parseInt(octal[0], 8)
}

function readControl(reader: PatternReader, start: number): number {
  const key = reader.take()
  if (!/^[ -~]$/.test(key)) throw new PatternProblem('malformed', '\\c needs a printable ASCII character', start)
  return key.toUpperCase().charCodeAt(0) ^ 64
}

function checkedCode(code: number, start: number): number {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw new PatternProblem('malformed', 'The character code is not in Unicode', start)
  }
  return code
}

function unknownLetter(letter: string, start: number): PatternProblem {
  const known = UNSUPPORTED[letter]
  if (known !== undefined) return new PatternProblem('unsupported', known[0], start, known[1])
  const hint = letter === 'u' ? 'Write the character itself or \\x{00e9}.' : undefined
  return new PatternProblem('malformed', `\\${letter} has no meaning`, start, hint)
}

/** Writes one character so that RE2 reads it as itself, inside and outside of a class. */
export function quoteCharacter(code: number): string {
  return isPlain(code) ? String.fromCodePoint(code) : `\\x{${code.toString(16)}}`
}

function isPlain(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 0xa0
}

const POSIX_NAMES = new Set(
  'alpha lower upper alnum ascii blank cntrl digit graph print punct space word xdigit'.split(' '),
)

/** One thing in a class: a character, which may begin or end a range, or a set, which may not. */
type ClassItem = { readonly code: number } | { readonly body: string }

/** Reads a bracket class, whose `[` has been taken already, and writes it for RE2. */
export function readClass(reader: PatternReader): string {
  const start = reader.offset - 1
  let body = reader.takeText('^') ? '^' : ''
  // A bracket that closes at once is a literal one.
  if (reader.takeText(']')) body += readRange(reader, { code: 0x5d }, start)
  while (!reader.takeText(']')) {
    if (reader.done) throw new PatternProblem('malformed', 'The class [ is never closed', start, 'Add ] or write \\[.')
    const item = readItem(reader, start)
    body += 'body' in item ? item.body : readRange(reader, item, start)
  }
  return `[${body}]`
}

function readItem(reader: PatternReader, start: number): ClassItem {
  const posix = reader.takeMatch(/\[([:.=])(\^?)([^\]\\[]{0,30})\1\]/y)
  if (posix !== null) return { body: posixBody(posix, start) }
  if (!reader.takeText('\\')) return { code: reader.take().codePointAt(0) as number }
  if (/[QE]/.test(reader.peek())) {
    throw new PatternProblem('unsupported', '\\Q…\\E within a class', reader.offset - 1, 'Escape each character.')
  }
  const sequence = readEscape(reader, true)
  if (sequence.kind === 'set') return { body: sequence.body }
  if (sequence.kind === 'character') return { code: sequence.code }
  throw new PatternProblem('malformed', 'An assertion stands within a class', reader.offset)
}

function posixBody([, kind, negation, name]: RegExpExecArray, start: number): string {
  if (kind !== ':') throw new PatternProblem('unsupported', 'A POSIX collating element', start)
  if (!POSIX_NAMES.has(name as string)) {
    throw new PatternProblem(
      'malformed',
      `The POSIX class [:${name}:] is not known`,
      start,
      `Known: ${[...POSIX_NAMES].join(', ')}.`,
    )
  }
  return `[:${negation}${name}:]`
}

function readRange(reader: PatternReader, first: { readonly code: number }, start: number): string {
  const from = quoteCharacter(first.code)
  // A hyphen before the closing bracket is a literal one.
  if (reader.peek() !== '-' || reader.source[reader.offset + 1] === ']') return from
  reader.take()
  if (reader.done) return from
  const last = readItem(reader, start)
  if ('body' in last) return `${from}\\x2d${last.body}`
  if (last.code < first.code) throw new PatternProblem('malformed', 'A range in a class runs backwards', start)
  return `${from}-${quoteCharacter(last.code)}`
}

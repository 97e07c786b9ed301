import { PatternProblem } from './pattern-problem.ts'
import type { PatternReader } from './pattern-reader.ts'
import { quoteCharacter, readEscape } from './read-escape.ts'

const POSIX_NAMES = new Set(
  'alpha lower upper alnum ascii blank cntrl digit graph print punct space word xdigit'.split(' '),
)

/** One thing in a class: a character, which may begin or end a range, or a set, which may not. */
type Item = { readonly code: number } | { readonly body: string }

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

function readItem(reader: PatternReader, start: number): Item {
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

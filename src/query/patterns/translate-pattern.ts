import { quoteCharacter, readClass, readEscape } from './escapes.ts'
import { PatternBuilder, type PatternPiece, type Repeat, type Translation } from './pattern-builder.ts'
import { type PatternFlags, PatternProblem, PatternReader } from './pattern-reader.ts'

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

const LINE_FEED = 0x0a
const OPEN_BRACE = 0x7b
const REPEATS: Readonly<Record<string, Repeat>> = {
  '*': { text: '*', min: 0, max: Number.POSITIVE_INFINITY },
  '+': { text: '+', min: 1, max: Number.POSITIVE_INFINITY },
  '?': { text: '?', min: 0, max: 1 },
}

/** Translates a pattern from PCRE's dialect (pcre2pattern) to RE2's, or says what in it cannot run in linear time. */
export function translatePattern(source: string, flags: PatternFlags): Translation {
  return new Translator(source, flags).run()
}

class Translator {
  readonly #reader: PatternReader
  readonly #builder: PatternBuilder

  constructor(source: string, flags: PatternFlags) {
    this.#reader = new PatternReader(source)
    this.#builder = new PatternBuilder(flags)
  }

  run(): Translation {
    // Patterns are in Unicode with or without being told.
    this.#reader.takeMatch(/(?:\(\*UTF8?\))+/y)
    while (!this.#reader.done) this.#step()
    return this.#builder.finish()
  }

  #step(): void {
    const start = this.#reader.offset
    const character = this.#reader.take()
    const { flags } = this.#builder
    if (flags.x && this.#skipExtended(character)) return
    const repeat = REPEATS[character]
    if (repeat !== undefined) {
      this.#repeat(repeat, start)
      return
    }
    switch (character) {
      case '\\':
        this.#sequence(start)
        break
      case '[':
        this.#consumer(readClass(this.#reader), { kind: 'other' }, true, start)
        break
      case '.':
        this.#consumer('.', { kind: 'dot' }, flags.s, start)
        break
      case '(':
        this.#openGroup(start)
        break
      case ')':
        this.#builder.closeGroup(start)
        break
      case '|':
        this.#builder.alternative()
        break
      case '^':
        if (flags.m) this.#builder.lineStart()
        else this.#textStart()
        break
      case '$':
        if (flags.m) this.#builder.assertion('(?m:$)')
        else this.#builder.softEnd()
        break
      case '{':
        this.#braces(start)
        break
      default:
        this.#literal(character.codePointAt(0) as number, start)
    }
  }

  /** With `x`, white space and comments between the parts of a pattern mean nothing. */
  #skipExtended(character: string): boolean {
    if (character === '#') this.#reader.takeMatch(/[^\n]*\n?/y)
    return character === '#' || /[\t\n\v\f\r ]/.test(character)
  }

  #sequence(start: number): void {
    if (this.#reader.takeText('Q')) {
      this.#quoted()
      return
    }
    // An \E that ends no quotation is ignored.
    if (this.#reader.takeText('E')) return
    const sequence = readEscape(this.#reader, false)
    switch (sequence.kind) {
      case 'character':
        this.#literal(sequence.code, start)
        break
      case 'set':
        this.#consumer(`[${sequence.body}]`, { kind: 'other' }, true, start)
        break
      case 'assertion':
        this.#builder.assertion(sequence.re2)
        break
      case 'textStart':
        this.#textStart()
        break
      case 'softEnd':
        this.#builder.softEnd()
        break
    }
  }

  #quoted(): void {
    while (!this.#reader.done && !this.#reader.takeText('\\E')) {
      const start = this.#reader.offset
      this.#literal(this.#reader.take().codePointAt(0) as number, start)
    }
  }

  #literal(code: number, start: number): void {
    const piece: PatternPiece = this.#builder.flags.i
      ? { kind: 'other' }
      : { kind: 'literal', text: String.fromCodePoint(code) }
    this.#consumer(quoteCharacter(code), piece, code === LINE_FEED, start)
  }

  #consumer(re2: string, piece: PatternPiece, mayBeLineFeed: boolean, start: number): void {
    this.#builder.consumer({ re2, piece, mayBeLineFeed }, start)
  }

  #textStart(): void {
    this.#builder.assertion('\\A', { kind: 'textStart' })
  }

  #openGroup(start: number): void {
    const head = readGroupHead(this.#reader, this.#builder.flags, start)
    if (head.kind === 'flags') this.#builder.changeFlags(head.flags)
    else if (head.kind === 'group') this.#builder.openGroup(head.re2, head.flags, start)
  }

  #braces(start: number): void {
    const counts = this.#reader.takeMatch(/([0-9]{1,9})(?:(,)([0-9]{0,9}))?\}/y)
    // Braces that are no repeat are literal.
    if (counts === null) {
      this.#literal(OPEN_BRACE, start)
      return
    }
    const [text, low, comma, high] = counts
    const min = Number(low)
    const upper = high === '' ? Number.POSITIVE_INFINITY : Number(high)
    const max = comma === undefined ? min : upper
    if (max < min) throw new PatternProblem('malformed', 'The numbers of a repeat are out of order', start)
    this.#repeat({ text: `{${text}`, min, max }, start)
  }

  #repeat(repeat: Repeat, start: number): void {
    if (this.#reader.peek() === '+') {
      const problem = `The possessive repeat ${repeat.text}+`
      throw new PatternProblem('unsupported', problem, start, `Write ${repeat.text} instead.`)
    }
    this.#builder.repeat(repeat, this.#reader.takeText('?'), start)
  }
}

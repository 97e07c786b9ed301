import type { Piece } from './literal-prefix.ts'
import { PatternBuilder, type Repeat, type Translation } from './pattern-builder.ts'
import type { PatternFlags } from './pattern-flags.ts'
import { PatternProblem } from './pattern-problem.ts'
import { PatternReader } from './pattern-reader.ts'
import { readClass } from './read-class.ts'
import { quoteCharacter, readEscape } from './read-escape.ts'
import { readGroupHead } from './read-group-head.ts'

const LINE_FEED = 0x0a
const OPEN_BRACE = 0x7b
const REPEATS: Readonly<Record<string, Repeat>> = {
  '*': { text: '*', min: 0, max: Number.POSITIVE_INFINITY },
  '+': { text: '+', min: 1, max: Number.POSITIVE_INFINITY },
  '?': { text: '?', min: 0, max: 1 },
}

/**
 * Translates a pattern from PCRE's dialect (https://www.pcre.org/current/doc/html/pcre2pattern.html) to RE2's, or
 * says what in it cannot run in linear time.
 */
export function translatePattern(source: string, flags: PatternFlags): Translation {
  return new Translator(source, flags).run()
}

class Translator {
  private readonly reader: PatternReader
  private readonly builder: PatternBuilder

  constructor(source: string, flags: PatternFlags) {
    this.reader = new PatternReader(source)
    this.builder = new PatternBuilder(flags)
  }

  run(): Translation {
    // Patterns are in Unicode with or without being told.
    this.reader.takeMatch(/(?:\(\*UTF8?\))+/y)
    while (!this.reader.done) this.step()
    return this.builder.finish()
  }

  private step(): void {
    const start = this.reader.offset
    const character = this.reader.take()
    const { flags } = this.builder
    if (flags.x && this.skipExtended(character)) return
    const repeat = REPEATS[character]
    if (repeat !== undefined) {
      this.repeat(repeat, start)
      return
    }
    switch (character) {
      case '\\':
        this.sequence(start)
        break
      case '[':
        this.consumer(readClass(this.reader), { kind: 'other' }, true, start)
        break
      case '.':
        this.consumer('.', { kind: 'dot' }, flags.s, start)
        break
      case '(':
        this.openGroup(start)
        break
      case ')':
        this.builder.closeGroup(start)
        break
      case '|':
        this.builder.alternative()
        break
      case '^':
        if (flags.m) this.builder.lineStart()
        else this.textStart()
        break
      case '$':
        if (flags.m) this.builder.assertion('(?m:$)')
        else this.builder.softEnd()
        break
      case '{':
        this.braces(start)
        break
      default:
        this.literal(character.codePointAt(0) as number, start)
    }
  }

  /** With `x`, white space and comments between the parts of a pattern mean nothing. */
  private skipExtended(character: string): boolean {
    if (character === '#') this.reader.takeMatch(/[^\n]*\n?/y)
    return character === '#' || /[\t\n\v\f\r ]/.test(character)
  }

  private sequence(start: number): void {
    if (this.reader.takeText('Q')) {
      this.quoted()
      return
    }
    // An \E that ends no quotation is ignored.
    if (this.reader.takeText('E')) return
    const sequence = readEscape(this.reader, false)
    switch (sequence.kind) {
      case 'character':
        this.literal(sequence.code, start)
        break
      case 'set':
        this.consumer(`[${sequence.body}]`, { kind: 'other' }, true, start)
        break
      case 'assertion':
        this.builder.assertion(sequence.re2)
        break
      case 'textStart':
        this.textStart()
        break
      case 'softEnd':
        this.builder.softEnd()
        break
    }
  }

  private quoted(): void {
    while (!this.reader.done && !this.reader.takeText('\\E')) {
      const start = this.reader.offset
      this.literal(this.reader.take().codePointAt(0) as number, start)
    }
  }

  private literal(code: number, start: number): void {
    const piece: Piece = this.builder.flags.i
      ? { kind: 'other' }
      : { kind: 'literal', text: String.fromCodePoint(code) }
    this.consumer(quoteCharacter(code), piece, code === LINE_FEED, start)
  }

  private consumer(re2: string, piece: Piece, mayBeLineFeed: boolean, start: number): void {
    this.builder.consumer({ re2, piece, mayBeLineFeed }, start)
  }

  private textStart(): void {
    this.builder.assertion('\\A', { kind: 'textStart' })
  }

  private openGroup(start: number): void {
    const head = readGroupHead(this.reader, this.builder.flags, start)
    if (head.kind === 'flags') this.builder.changeFlags(head.flags)
    else if (head.kind === 'group') this.builder.openGroup(head.re2, head.flags, start)
  }

  private braces(start: number): void {
    const counts = this.reader.takeMatch(/([0-9]{1,9})(?:(,)([0-9]{0,9}))?\}/y)
    // Braces that are no repeat are literal.
    if (counts === null) {
      this.literal(OPEN_BRACE, start)
      return
    }
    const [text, low, comma, high] = counts
    const min = Number(low)
    const upper = high === '' ? Number.POSITIVE_INFINITY : Number(high)
    const max = comma === undefined ? min : upper
    if (max < min) throw new PatternProblem('malformed', 'The numbers of a repeat are out of order', start)
    this.repeat({ text: `{${text}`, min, max }, start)
  }

  private repeat(repeat: Repeat, start: number): void {
    if (this.reader.peek() === '+') {
      const problem = `The possessive repeat ${repeat.text}+`
      throw new PatternProblem('unsupported', problem, start, `Write ${repeat.text} instead.`)
    }
    this.builder.repeat(repeat, this.reader.takeText('?'), start)
  }
}

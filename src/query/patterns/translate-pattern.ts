import { type LiteralShape, literalShape, type Piece } from './literal-prefix.ts'
import type { PatternFlags } from './pattern-flags.ts'
import { PatternProblem } from './pattern-problem.ts'
import { PatternReader } from './pattern-reader.ts'
import { readClass } from './read-class.ts'
import { quoteCharacter, readEscape } from './read-escape.ts'
import { readGroupHead } from './read-group-head.ts'

/** A pattern in RE2's syntax. */
export interface Translation extends LiteralShape {
  readonly re2: string
  /**
   * True when `$` without `m`, or `\Z`, occurs: it is written as the end of the text, and a text that ends with a line feed
   * must be tried without it too.
   */
  readonly hasSoftEnd: boolean
  /** True when `^` with `m` occurs, which in PCRE does not hold after a line feed that ends the text. */
  readonly hasLineStart: boolean
  /** A measure of how much there is to compile. */
  readonly size: number
}

/** Repeats are written out by the engine, so what they make of a pattern is bounded. */
export const MAX_PATTERN_SIZE = 3_000
const MAX_REPEAT = 1_000

interface Frame {
  flags: PatternFlags
  readonly start: number
  /** Where in the output the last repeatable thing begins; -1 when there is none. */
  atom: number
  atomSize: number
  size: number
  /** Whether a soft end comes before this point, in this branch or around the group. */
  afterSoftEnd: boolean
  readonly entersAfterSoftEnd: boolean
  hasSoftEnd: boolean
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
  private readonly out: string[] = []
  private readonly frames: Frame[]
  private readonly pieces: Piece[] = []
  private hasLineStart = false

  constructor(source: string, flags: PatternFlags) {
    this.reader = new PatternReader(source)
    this.frames = [newFrame(flags, 0, false)]
    this.out.push(flagText(flags))
  }

  run(): Translation {
    while (!this.reader.done) this.step()
    if (this.frames.length > 1) {
      throw new PatternProblem('malformed', 'The group ( is never closed', this.frame.start, 'Add ) or write \\(.')
    }
    return {
      re2: this.out.join(''),
      hasSoftEnd: this.frame.hasSoftEnd,
      hasLineStart: this.hasLineStart,
      size: this.frame.size,
      ...literalShape(this.pieces),
    }
  }

  private get frame(): Frame {
    return this.frames[this.frames.length - 1] as Frame
  }

  private step(): void {
    const start = this.reader.offset
    const character = this.reader.take()
    if (this.frame.flags.x && this.skipExtended(character)) return
    switch (character) {
      case '\\':
        this.escape()
        break
      case '[':
        this.consumer(readClass(this.reader), { kind: 'other' }, true)
        break
      case '.':
        this.consumer('.', { kind: 'dot' }, this.frame.flags.s)
        break
      case '(':
        this.openGroup(start)
        break
      case ')':
        this.closeGroup(start)
        break
      case '|':
        this.alternative()
        break
      case '^':
        if (this.frame.flags.m) this.lineStart()
        else this.textStart()
        break
      case '$':
        if (this.frame.flags.m) this.assertion('(?m:$)')
        else this.softEnd()
        break
      case '*':
        this.repeat(start, 0, Number.POSITIVE_INFINITY, character)
        break
      case '+':
        this.repeat(start, 1, Number.POSITIVE_INFINITY, character)
        break
      case '?':
        this.repeat(start, 0, 1, character)
        break
      case '{':
        this.braces(start)
        break
      default:
        this.literal(character.codePointAt(0) as number)
        break
    }
  }

  /** With `x`, white space and comments between the parts of a pattern mean nothing. */
  private skipExtended(character: string): boolean {
    if (character === '#') this.reader.takeMatch(/[^\n]*\n?/y)
    return character === '#' || /[\t\n\v\f\r ]/.test(character)
  }

  private escape(): void {
    if (this.reader.takeText('Q')) {
      this.quoted()
      return
    }
    // An \E that ends no quotation is ignored.
    if (this.reader.takeText('E')) return
    const sequence = readEscape(this.reader, false)
    switch (sequence.kind) {
      case 'character':
        this.literal(sequence.code)
        break
      case 'set':
        this.consumer(`[${sequence.body}]`, { kind: 'other' }, true)
        break
      case 'assertion':
        this.assertion(sequence.re2)
        break
      case 'textStart':
        this.textStart()
        break
      case 'softEnd':
        this.softEnd()
        break
    }
  }

  private quoted(): void {
    while (!this.reader.done && !this.reader.takeText('\\E')) {
      this.literal(this.reader.take().codePointAt(0) as number)
    }
  }

  private literal(code: number): void {
    const piece: Piece = this.frame.flags.i ? { kind: 'other' } : { kind: 'literal', text: String.fromCodePoint(code) }
    this.consumer(quoteCharacter(code), piece, code === 10)
  }

  private consumer(re2: string, piece: Piece, mayBeLineFeed: boolean): void {
    if (mayBeLineFeed && this.frame.afterSoftEnd) {
      throw new PatternProblem(
        'unsupported',
        'A part that could match a line feed after $ without the m flag',
        this.reader.offset - 1,
        'End the pattern with $, or use the m flag.',
      )
    }
    this.note(piece)
    this.atom(re2, 1)
  }

  private atom(re2: string, size: number): void {
    this.frame.atom = this.out.length
    this.out.push(re2)
    this.grow(size)
    this.frame.atomSize = size
  }

  private assertion(re2: string): void {
    this.note({ kind: 'other' })
    this.out.push(re2)
    this.frame.atom = -1
    this.grow(1)
  }

  private textStart(): void {
    this.assertion('\\A')
    if (this.frames.length === 1) this.pieces[this.pieces.length - 1] = { kind: 'textStart' }
  }

  private lineStart(): void {
    this.hasLineStart = true
    this.assertion('(?m:^)')
  }

  private softEnd(): void {
    this.assertion('\\z')
    this.frame.afterSoftEnd = true
    this.frame.hasSoftEnd = true
  }

  private alternative(): void {
    this.out.push('|')
    this.note({ kind: 'other' })
    // With alternatives nothing can be said of the start, so what came before counts as unknown too.
    if (this.frames.length === 1) this.pieces.unshift({ kind: 'other' })
    this.frame.atom = -1
    this.frame.afterSoftEnd = this.frame.entersAfterSoftEnd
  }

  private openGroup(start: number): void {
    const head = readGroupHead(this.reader, this.frame.flags, start)
    if (head.kind === 'comment') return
    if (head.kind === 'flags') {
      this.frame.flags = head.flags
      this.out.push(flagText(head.flags))
      this.frame.atom = -1
      return
    }
    this.note({ kind: 'other' })
    this.frame.atom = this.out.length
    this.frames.push(newFrame(head.flags, start, this.frame.afterSoftEnd))
    this.out.push(`${head.re2}${flagText(head.flags)}`)
  }

  private closeGroup(start: number): void {
    const closed = this.frame
    if (this.frames.length === 1) {
      throw new PatternProblem('malformed', 'A ) closes no group', start, 'Write \\) for the character.')
    }
    this.frames.pop()
    this.out.push(')')
    this.grow(closed.size + 2)
    this.frame.atomSize = closed.size + 2
    if (closed.hasSoftEnd) {
      this.frame.hasSoftEnd = true
      this.frame.afterSoftEnd = true
    }
  }

  private braces(start: number): void {
    const counts = this.reader.takeMatch(/([0-9]{1,9})(?:(,)([0-9]{0,9}))?\}/y)
    // Braces that are no repeat are literal.
    if (counts === null) {
      this.literal(0x7b)
      return
    }
    const [text, low, comma, high] = counts
    const min = Number(low)
    const max = comma === undefined ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high)
    if (max < min) throw new PatternProblem('malformed', 'The numbers of a repeat are out of order', start)
    this.repeat(start, min, max, `{${text}`)
  }

  private repeat(start: number, min: number, max: number, re2: string): void {
    const { frame } = this
    if (frame.atom < 0) {
      throw new PatternProblem(
        'malformed',
        `There is nothing that ${re2} could repeat`,
        start,
        `Write \\${re2} for the character.`,
      )
    }
    const count = Number.isFinite(max) ? max : min
    if (count > MAX_REPEAT) {
      throw new PatternProblem('tooLarge', `A repeat counts to ${count}; at most ${MAX_REPEAT} is possible`, start)
    }
    if (max > 1 && frame.afterSoftEnd && this.out[frame.atom]?.startsWith('(')) {
      throw new PatternProblem('unsupported', 'A repeated group that holds $ without the m flag', start)
    }
    if (this.reader.peek() === '+') {
      throw new PatternProblem('unsupported', `The possessive repeat ${re2}+`, start, `Write ${re2} instead.`)
    }
    const lazy = this.reader.takeText('?') ? '?' : ''
    this.noteRepeat(min, re2 === '*')
    // The group keeps a repeat of a repeat apart, as in a{2}{3}.
    this.out[frame.atom] = `(?:${this.out[frame.atom]}`
    this.out.push(`${re2}${lazy})`)
    this.grow(frame.atomSize * Math.max(count - 1, 0))
    frame.atomSize *= Math.max(count, 1)
  }

  private grow(size: number): void {
    this.frame.size += size
    if (this.frame.size > MAX_PATTERN_SIZE) {
      throw new PatternProblem(
        'tooLarge',
        'The pattern is too large once its repeats are written out',
        this.reader.offset - 1,
      )
    }
  }

  private note(piece: Piece): void {
    if (this.frames.length === 1) this.pieces.push(piece)
  }

  private noteRepeat(min: number, isStar: boolean): void {
    if (this.frames.length > 1) return
    const last = this.pieces.pop()
    if (last?.kind === 'dot' && isStar) this.pieces.push({ kind: 'anything' })
    else if (last?.kind === 'literal' && min > 0) this.pieces.push(last, { kind: 'other' })
    else this.pieces.push({ kind: 'other' })
  }
}

function newFrame(flags: PatternFlags, start: number, afterSoftEnd: boolean): Frame {
  return {
    flags,
    start,
    atom: -1,
    atomSize: 0,
    size: 0,
    afterSoftEnd,
    entersAfterSoftEnd: afterSoftEnd,
    hasSoftEnd: false,
  }
}

/** RE2 needs to know of `i` and `s` only: `m` and `x` are gone from the translated text. */
function flagText(flags: PatternFlags): string {
  const on = `${flags.i ? 'i' : ''}${flags.s ? 's' : ''}`
  const off = `${flags.i ? '' : 'i'}${flags.s ? '' : 's'}`
  return `(?${on}${off === '' ? '' : `-${off}`})`
}

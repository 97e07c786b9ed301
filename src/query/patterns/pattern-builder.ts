import { type PatternFlags, PatternProblem } from './pattern-reader.ts'

/** Part at the outermost level of a pattern, in order; groups, sets and alternatives are `other`. */
export type PatternPiece =
  | { readonly kind: 'textStart' }
  | { readonly kind: 'literal'; readonly text: string }
  /** `.*`, which adds nothing to what comes before it. */
  | { readonly kind: 'anything' }
  | { readonly kind: 'dot' }
  | { readonly kind: 'other' }

/** Facts about every match, known without running the pattern. */
export interface LiteralShape {
  readonly literalPrefix: string
  readonly isLiteralPrefix: boolean
  /** The text that the whole pattern consists of, when it is nothing but that; null otherwise. */
  readonly plainText: string | null
}

/** Reads off the literal text at the start of a pattern. */
export function literalShape(pieces: readonly PatternPiece[]): LiteralShape {
  const literals = (from: number): { text: string; next: number } => {
    let text = ''
    let next = from
    for (let piece = pieces[next]; piece?.kind === 'literal'; piece = pieces[next]) {
      text += piece.text
      next += 1
    }
    return { text, next }
  }
  if (pieces[0]?.kind !== 'textStart') {
    const { text, next } = literals(0)
    return { literalPrefix: '', isLiteralPrefix: false, plainText: next === pieces.length ? text : null }
  }
  const { text, next } = literals(1)
  const ends = next === pieces.length || (next === pieces.length - 1 && pieces[next]?.kind === 'anything')
  return { literalPrefix: text, isLiteralPrefix: ends, plainText: null }
}

/** A pattern in RE2's syntax. */
export interface Translation extends LiteralShape {
  readonly re2: string
  /** True when `$` without `m`, or `\Z`, occurs: a text that ends with a line feed must be tried without it too. */
  readonly hasSoftEnd: boolean
  /** True when `^` with `m` occurs, which in PCRE does not hold after a line feed that ends the text. */
  readonly hasLineStart: boolean
  /** A measure of how much there is to compile. */
  readonly size: number
}

/** One part of a pattern that matches a character. */
interface Consumer {
  readonly re2: string
  readonly piece: PatternPiece
  readonly mayBeLineFeed: boolean
}

/** Repetition of a part. */
export interface Repeat {
  /** As the client wrote it: `*`, `{2,3}`. */
  readonly text: string
  readonly min: number
  readonly max: number
}

/** Repeats are written out by the engine, so what they make of a pattern is bounded. */
const MAX_PATTERN_SIZE = 3_000
const MAX_REPEAT = 1_000
/** The tables of a Unicode property take the engine as long as so many characters. */
const PROPERTY_SIZE = 10

interface Frame {
  flags: PatternFlags
  readonly start: number
  /** Start of the last repeatable part in the output; -1 when there is none. */
  atom: number
  atomSize: number
  size: number
  /** Whether a soft end comes before this point, in this branch or around the group. */
  afterSoftEnd: boolean
  readonly entersAfterSoftEnd: boolean
  hasSoftEnd: boolean
}

/** Writes a pattern for RE2 part by part, and keeps account of groups, size and what every match begins with. */
export class PatternBuilder {
  readonly #out: string[] = []
  readonly #frames: Frame[]
  readonly #pieces: PatternPiece[] = []
  #hasLineStart = false

  constructor(flags: PatternFlags) {
    this.#frames = [newFrame(flags, 0, false)]
    this.#out.push(flagText(flags))
  }

  get flags(): PatternFlags {
    return this.#frame.flags
  }

  finish(): Translation {
    if (this.#frames.length > 1) {
      throw new PatternProblem('malformed', 'The group ( is never closed', this.#frame.start, 'Add ) or write \\(.')
    }
    return {
      re2: this.#out.join(''),
      hasSoftEnd: this.#frame.hasSoftEnd,
      hasLineStart: this.#hasLineStart,
      size: this.#frame.size,
      ...literalShape(this.#pieces),
    }
  }

  consumer({ re2, piece, mayBeLineFeed }: Consumer, offset: number): void {
    if (mayBeLineFeed && this.#frame.afterSoftEnd) {
      const problem = 'A part that could match a line feed after $ without the m flag'
      throw new PatternProblem('unsupported', problem, offset, 'End the pattern with $, or use the m flag.')
    }
    this.#note(piece)
    this.#frame.atom = this.#out.length
    this.#out.push(re2)
    this.#frame.atomSize = 1
    this.#grow(1 + PROPERTY_SIZE * (re2.match(/\\p/gi)?.length ?? 0), offset)
  }

  assertion(re2: string, piece: PatternPiece = { kind: 'other' }): void {
    this.#note(piece)
    this.#out.push(re2)
    this.#frame.atom = -1
  }

  lineStart(): void {
    this.#hasLineStart = true
    this.assertion('(?m:^)')
  }

  softEnd(): void {
    this.assertion('\\z')
    this.#frame.afterSoftEnd = true
    this.#frame.hasSoftEnd = true
  }

  alternative(): void {
    this.#out.push('|')
    // With alternatives nothing can be said of the start, so the first piece counts as unknown.
    if (this.#frames.length === 1) this.#pieces.unshift({ kind: 'other' })
    this.#frame.atom = -1
    this.#frame.afterSoftEnd = this.#frame.entersAfterSoftEnd
  }

  /** Changes the flags for the rest of the group. */
  changeFlags(flags: PatternFlags): void {
    this.#frame.flags = flags
    this.#out.push(flagText(flags))
    this.#frame.atom = -1
  }

  openGroup(re2: string, flags: PatternFlags, start: number): void {
    this.#note({ kind: 'other' })
    this.#frame.atom = this.#out.length
    this.#frames.push(newFrame(flags, start, this.#frame.afterSoftEnd))
    this.#out.push(`${re2}${flagText(flags)}`)
  }

  closeGroup(offset: number): void {
    const closed = this.#frame
    if (this.#frames.length === 1) {
      throw new PatternProblem('malformed', 'A ) closes no group', offset, 'Write \\) for the character.')
    }
    this.#frames.pop()
    this.#out.push(')')
    this.#frame.atomSize = closed.size + 2
    this.#grow(closed.size + 2, offset)
    if (closed.hasSoftEnd) {
      this.#frame.hasSoftEnd = true
      this.#frame.afterSoftEnd = true
    }
  }

  repeat({ text, min, max }: Repeat, lazy: boolean, offset: number): void {
    const frame = this.#frame
    if (frame.atom < 0) {
      const problem = `There is nothing that ${text} could repeat`
      throw new PatternProblem('malformed', problem, offset, `Write \\${text} for the character.`)
    }
    const count = Number.isFinite(max) ? max : min
    if (count > MAX_REPEAT) {
      throw new PatternProblem('tooLarge', `A repeat counts to ${count}; at most ${MAX_REPEAT} is possible`, offset)
    }
    if (max > 1 && frame.afterSoftEnd && this.#out[frame.atom]?.startsWith('(')) {
      throw new PatternProblem('unsupported', 'A repeated group that holds $ without the m flag', offset)
    }
    this.#noteRepeat(min, text === '*')
    // The group keeps a repeat of a repeat apart, as in a{2}{3}.
    this.#out[frame.atom] = `(?:${this.#out[frame.atom]}`
    this.#out.push(`${text}${lazy ? '?' : ''})`)
    this.#grow(frame.atomSize * Math.max(count - 1, 0), offset)
    frame.atomSize *= Math.max(count, 1)
  }

  get #frame(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame
  }

  #grow(size: number, offset: number): void {
    this.#frame.size += size
    if (this.#frame.size > MAX_PATTERN_SIZE) {
      throw new PatternProblem('tooLarge', 'The pattern is too large once its repeats are written out', offset)
    }
  }

  #note(piece: PatternPiece): void {
    if (this.#frames.length === 1) this.#pieces.push(piece)
  }

  #noteRepeat(min: number, isStar: boolean): void {
    if (this.#frames.length > 1) return
    const last = this.#pieces.pop()
    if (last?.kind === 'dot' && isStar) this.#pieces.push({ kind: 'anything' })
    else if (last?.kind === 'literal' && min > 0) this.#pieces.push(last, { kind: 'other' })
    else this.#pieces.push({ kind: 'other' })
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

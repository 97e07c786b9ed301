import type { AppError } from '../../../kernel/errors.ts'
import type { StructureLimits } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'

/** One of the structures of a file, as a text that is read like a file of one. */
export interface FileFrame {
  readonly text: string
  /** Line of the file, counted from 1, where the text begins; where it repeats what stands elsewhere, its own lines stand so many lines on from there. */
  readonly line: number
  /** Present where it is longer than a structure may be, and has no text for that: those behind it are read. */
  readonly refusal?: AppError
}

/** Takes a file apart while its text comes in pieces: gives each structure as soon as it is whole, and keeps no more than that. */
export interface FrameSplitter {
  /** Whether nothing of what may follow is part of a structure. */
  readonly isOver: boolean
  /** Takes a piece in; lines end in `\n`. */
  read(piece: string): Iterable<FileFrame>
  /** Takes in that nothing follows. */
  end(): Iterable<FileFrame>
}

/** Text of one structure that is being gathered; refuses what is longer than a structure may be, or gives it as refused where the next one can be found. */
export class GatheredText {
  readonly #limits: StructureLimits
  readonly #findsNext: boolean
  #parts: string[] = []
  #length = 0
  #line = 1

  constructor(limits: StructureLimits, { findsNext = false } = {}) {
    this.#limits = limits
    this.#findsNext = findsNext
  }

  add(part: string): void {
    this.#length += part.length
    if (!this.#findsNext) requireShort(this.#length, this.#limits, this.#line)
    if (this.#length <= this.#limits.textLength) this.#parts.push(part)
    else this.#parts = []
  }

  /** Lets go of what was gathered, and begins anew at a line. */
  begin(line: number): void {
    this.#parts = []
    this.#length = 0
    this.#line = line
  }

  /** Gives what was gathered, and lets go of it. */
  take(): FileFrame {
    const [text, line] = [this.#parts.join(''), this.#line]
    const isLong = this.#length > this.#limits.textLength
    const frame = { text, line, ...(isLong ? { refusal: tooLong(this.#limits, line) } : {}) }
    this.begin(this.#line)
    return frame
  }
}

/** Refuses a structure that begins at a line and is longer than what can be read of one. */
export function requireShort(length: number, limits: StructureLimits, line: number): void {
  if (length > limits.textLength) throw tooLong(limits, line)
}

function tooLong({ textLength }: StructureLimits, line: number): AppError {
  const what = line === 1 ? 'The file has' : 'The structure that begins there has'
  const message = `${what} more than ${textLength} characters, which is the most that can be read of one structure.`
  return refusal(FORMAT_ERRORS.fileTooLarge, message, line === 1 ? {} : { line })
}

/** Splitter of a format whose files hold one structure. */
export class WholeSplitter implements FrameSplitter {
  readonly isOver = false
  readonly #text: GatheredText

  constructor(limits: StructureLimits) {
    this.#text = new GatheredText(limits)
  }

  read(piece: string): readonly FileFrame[] {
    this.#text.add(piece)
    return []
  }

  end(): readonly FileFrame[] {
    return [this.#text.take()]
  }
}

export const NO_FRAMES: readonly FileFrame[] = []

/** What is made of the lines of a file. */
export interface LineReader {
  /** Whether nothing of what may follow is part of a structure. */
  readonly isOver?: boolean
  /** Takes in a line, without its end; its number is counted from 1. Gives what is whole with it. */
  line(text: string, number: number): readonly FileFrame[]
  /** Takes in that no line follows. */
  finish(): Iterable<FileFrame>
}

/** Splitter that goes line by line. */
export class LineSplitter implements FrameSplitter {
  readonly #limits: StructureLimits
  readonly #reader: LineReader
  #number = 0
  #begun = ''

  constructor(limits: StructureLimits, reader: LineReader) {
    this.#limits = limits
    this.#reader = reader
  }

  get isOver(): boolean {
    return this.#reader.isOver === true
  }

  *read(piece: string): Generator<FileFrame> {
    const text = this.#begun + piece
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0 && !this.isOver; end = text.indexOf('\n', from)) {
      this.#number += 1
      const whole = this.#reader.line(text.slice(from, end), this.#number)
      if (whole.length > 0) yield* whole
      from = end + 1
    }
    this.#begun = this.isOver ? '' : text.slice(from)
    requireShort(this.#begun.length, this.#limits, this.#number + 1)
  }

  *end(): Generator<FileFrame> {
    if (this.isOver) return
    if (this.#begun !== '') {
      this.#number += 1
      yield* this.#reader.line(this.#begun, this.#number)
    }
    yield* this.#reader.finish()
  }
}

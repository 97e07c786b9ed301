import { remedied } from '../../page/remedies.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { StructureFormat } from './common/format.ts'
import { type FileFrame, type FrameSplitter, WholeSplitter } from './common/splitter.ts'
import { limitsOf } from './common/text.ts'
import { LineEnds } from './common/text-pieces.ts'
import { type FileHints, formatOf } from './detect.ts'

/** Characters by which the format of a file is told. */
const HEAD = 2 * 1024 * 1024

/** Most characters that structures have together, as a multiple of those of the file: what a file says once for all is repeated with each. */
const MOST_TIMES_LONGER = 4

/** Takes a structure file apart whose text comes in pieces; of what is between them it keeps the structure that is not whole yet. */
export class FramesOfText {
  /** Number of the structures so far. */
  count = 0
  /** Characters that have been read. */
  length = 0
  readonly #hints: FileHints
  readonly #ends = new LineEnds()
  /** What has been read before the format is known. */
  #head = ''
  #known: { readonly format: StructureFormat; readonly splitter: FrameSplitter } | null = null
  #given = 0

  constructor(hints: FileHints) {
    this.#hints = hints
  }

  /** The format, which is known when a structure is. */
  get format(): StructureFormat {
    if (this.#known === null) throw new Error('the format of a text is asked for before it is known')
    return this.#known.format
  }

  /** Whether what follows need not be read. */
  get isOver(): boolean {
    return this.#known?.splitter.isOver === true
  }

  *read(piece: string): Generator<FileFrame> {
    this.length += piece.length
    yield* this.#take(this.#ends.read(piece), HEAD)
  }

  *end(): Generator<FileFrame> {
    yield* this.#take(this.#ends.read('', true), 0)
    if (this.#known !== null && !this.isOver) yield* this.#counted(this.#known.splitter.end())
  }

  /** Gives a piece to the splitter, which is known once there is enough to tell the format by. */
  *#take(piece: string, enough: number): Generator<FileFrame> {
    if (this.#known !== null) yield* this.#counted(this.#known.splitter.read(piece))
    else {
      this.#head += piece
      if (this.#head.length < enough) return
      const head = this.#head.charCodeAt(0) === 0xfeff ? this.#head.slice(1) : this.#head
      this.#head = ''
      this.#known = this.#splitterFor(head)
      yield* this.#counted(this.#known.splitter.read(head))
    }
  }

  #splitterFor(head: string): { readonly format: StructureFormat; readonly splitter: FrameSplitter } {
    const format = formatOf(head, this.#hints)
    const limits = limitsOf(this.#hints)
    return { format, splitter: format.splitter?.(limits) ?? new WholeSplitter(limits) }
  }

  *#counted(frames: Iterable<FileFrame>): Generator<FileFrame> {
    for (const frame of frames) {
      this.count += 1
      this.#given += frame.text.length
      const most = MOST_TIMES_LONGER * Math.max(this.length, limitsOf(this.#hints).textLength)
      if (this.count > 1 && this.#given > most) throw tooMuchShared(most)
      yield frame
    }
  }
}

function tooMuchShared(most: number): Error {
  const message = `The structures of the file, each with what holds for all, have more than ${most} characters together.`
  return refusal(FORMAT_ERRORS.tooManyFrames, message, remedied('oneFrame'))
}

import { remedied } from '../../page/remedies.ts'
import type { StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { StructureFormat } from './common/format.ts'
import type { FileFrame } from './common/splitter.ts'
import { limitsOf } from './common/text.ts'
import { decodedPieces, TextDecoding } from './common/text-pieces.ts'
import type { FileHints } from './detect.ts'
import { FramesOfText } from './frames-of-text.ts'

/** One of the structures of a file. */
export interface PickedFrame {
  readonly frame: FileFrame
  readonly format: StructureFormat
  /** Counted from 0. */
  readonly index: number
  /** Number of the structures of the file; null where it was not read to its end. */
  readonly count: number | null
  readonly warnings: readonly StructureWarning[]
}

/** Picks the structure that is asked for, from the end where its number is negative; without a number the first, with a warning if there are more. */
export class FramePicker {
  readonly #hints: FileHints
  readonly #frames: FramesOfText
  /** What may be the one. */
  readonly #kept: FileFrame[] = []
  #keptLength = 0

  constructor(hints: FileHints) {
    this.#hints = hints
    this.#frames = new FramesOfText(hints)
  }

  /** Whether it is there, and the file so long that the rest of it is not looked at. */
  get isDone(): boolean {
    const { isOver, count, length } = this.#frames
    // That there are others is told, so one more has to be seen.
    const isKnown = this.#number >= 0 && count > (this.#hints.frame ?? 1)
    return isOver || (isKnown && length > limitsOf(this.#hints).textLength)
  }

  read(piece: string): void {
    for (const frame of this.#frames.read(piece)) this.#consider(frame)
  }

  end(): PickedFrame {
    const isWhole = !this.isDone || this.#frames.isOver
    if (!this.isDone) for (const frame of this.#frames.end()) this.#consider(frame)
    const { count, format } = this.#frames
    const index = this.#number < 0 ? count + this.#number : this.#number
    const [frame] = this.#kept
    if (frame === undefined || !(index >= 0 && index < count)) throw noSuchFrame(count, this.#number)
    if (frame.refusal !== undefined) throw frame.refusal
    const isFirst = this.#hints.frame === undefined && count > 1
    const warnings = isFirst ? [severalStructures(isWhole ? String(count) : `${count} or more`)] : []
    return { frame, format, index, count: isWhole ? count : null, warnings }
  }

  get #number(): number {
    return this.#hints.frame ?? 0
  }

  #consider(frame: FileFrame): void {
    const index = this.#frames.count - 1
    if (this.#number >= 0 && index !== this.#number) return
    this.#kept.push(frame)
    this.#keptLength += frame.text.length
    if (this.#kept.length > Math.max(1, -this.#number)) this.#keptLength -= this.#kept.shift()?.text.length ?? 0
    if (this.#kept.length > 1 && this.#keptLength > MOST_FROM_END * limitsOf(this.#hints).textLength) {
      throw tooFarFromEnd(this.#number)
    }
  }
}

/** Picks a structure of the bytes of a file. For threads: it takes time in proportion to them. */
export function pickFrame(bytes: Uint8Array, hints: FileHints): PickedFrame {
  const picker = new FramePicker(hints)
  for (const piece of decodedPieces(bytes)) {
    picker.read(piece)
    if (picker.isDone) break
  }
  return picker.end()
}

/** Picks a structure of a file that is read as far as it has to be. */
export async function pickFrameOf(chunks: AsyncIterable<Uint8Array>, hints: FileHints): Promise<PickedFrame> {
  const picker = new FramePicker(hints)
  const decoding = new TextDecoding()
  for await (const chunk of chunks) {
    picker.read(decoding.read(chunk))
    if (picker.isDone) return picker.end()
  }
  picker.read(decoding.read(new Uint8Array(), true))
  return picker.end()
}

/** Length of the structures that are kept to count from the end, as a multiple of that of one. */
const MOST_FROM_END = 4

function tooFarFromEnd(frame: number): Error {
  const message = `The structures behind the frame ${frame} are too long to be counted from the end.`
  return refusal(FORMAT_ERRORS.tooManyFrames, message, { hint: 'Give its number from the beginning, counted from 0.' })
}

function noSuchFrame(count: number, frame: number): Error {
  const message = `The file holds ${structures(count)}, so there is no frame ${frame}.`
  const remedy = count === 1 ? remedied('leaveFrameOut') : remedied('chooseFrame', { last: count - 1 })
  return refusal(FORMAT_ERRORS.noStructure, message, remedy)
}

function severalStructures(count: string): StructureWarning {
  const message = `The file holds ${count} structures; the first, frame 0, is taken. Frame -1 is the last.`
  return { code: 'several-structures', message }
}

function structures(count: number): string {
  return count === 1 ? 'one structure' : `${count} structures`
}

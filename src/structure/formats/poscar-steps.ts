import type { StructureLimits } from '../crystal.ts'
import { withLinesFrom } from '../errors.ts'
import { type FileFrame, type LineReader, NO_FRAMES, requireShort } from './common/splitter.ts'
import { atomsOf, isGrid, isHeader, placesBehind, readHeader } from './poscar-header.ts'

const STEP = /^\s*direct configuration\s*=/i

/** Lines that a header has at most, and those by which a further structure is told. */
const HEADER_LINES = 64
const TELLING_LINES = 32

/** Takes POSCARs one after the other, and the steps of an XDATCAR, apart; volumetric data behind a structure is not read. */
export class PoscarSteps implements LineReader {
  isOver = false
  readonly #limits: StructureLimits
  /** Lines from the beginning of a structure on; of a step, without the header that holds for it. */
  #lines: string[] = []
  #length = 0
  /** Number of the first of these. */
  #first = 1
  /** Header of the steps that follow. */
  #header: readonly string[] = []
  /** Lines after which it may be told where the structure ends. */
  #needed = HEADER_LINES
  /** Lines of the structure itself; null until they are known. */
  #own: { readonly atoms: number; readonly begin: number } | null = null
  /** Lines behind the places that begin nothing. */
  #lookedTo = 0
  /** Whether nothing further is a structure: what there is belongs to this one. */
  #isLast = false

  constructor(limits: StructureLimits) {
    this.#limits = limits
  }

  line(text: string): readonly FileFrame[] {
    this.#lines.push(text)
    this.#length += text.length + 1
    requireShort(this.#length, this.#limits, this.#first)
    if (this.#isLast || this.#lines.length < this.#needed) return NO_FRAMES
    const frame = this.#next(false)
    return frame === null ? NO_FRAMES : [frame]
  }

  *finish(): Generator<FileFrame> {
    while (!this.#isLast) {
      const frame = this.#next(true)
      if (frame !== null) yield frame
    }
    if (!this.isOver) yield this.#take(this.#lines.length)
  }

  /** Gives the structure that is being gathered when its end is known. */
  #next(isEnd: boolean): FileFrame | null {
    this.#own ??= this.#readHeader()
    const { atoms, begin } = this.#own
    const behind = placesBehind(this.#lines, begin) + atoms
    let next = Math.max(behind, this.#lookedTo)
    for (; isEnd ? next < this.#lines.length : next + TELLING_LINES <= this.#lines.length; next++) {
      if (STEP.test(this.#lineAt(next))) return this.#takeStep(next)
      if (isHeader(this.#lines, next)) return this.#takeStructure(next)
      if (next > behind && this.#lineAt(next - 1).trim() === '' && isGrid(this.#lineAt(next)))
        return this.#takeGrid(next)
    }
    this.#lookedTo = next
    this.#needed = next + TELLING_LINES
    this.#isLast = isEnd
    return null
  }

  #readHeader(): { readonly atoms: number; readonly begin: number } {
    const header = withLinesFrom(this.#first, () => readHeader(this.#lines, 0))
    this.#header = this.#lines.slice(0, header.next)
    return { atoms: atomsOf(header), begin: header.next }
  }

  #takeStep(next: number): FileFrame {
    const frame = this.#take(next)
    this.#own = { atoms: (this.#own as { readonly atoms: number }).atoms, begin: 0 }
    this.#needed = 1
    return frame
  }

  #takeStructure(next: number): FileFrame {
    const frame = this.#take(next)
    this.#own = null
    this.#needed = HEADER_LINES
    return frame
  }

  #takeGrid(next: number): FileFrame {
    this.isOver = this.#isLast = true
    return this.#take(next + 1)
  }

  /** Gives so many lines as a structure, with the header that holds for it. */
  #take(count: number): FileFrame {
    const isStep = this.#own?.begin === 0
    const header = isStep ? this.#header : []
    const frame = {
      text: `${[...header, ...this.#lines.slice(0, count)].join('\n')}\n`,
      line: this.#first - header.length,
    }
    this.#lines = this.#lines.slice(count)
    this.#lookedTo = 0
    this.#length = this.#lines.join('\n').length
    this.#first += count
    return frame
  }

  #lineAt(index: number): string {
    return this.#lines[index] ?? ''
  }
}

import type { StructureLimits } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { type FileFrame, GatheredText, type LineReader, NO_FRAMES } from './common/splitter.ts'
import { readCount, shorten, wordsOf } from './common/text.ts'

/** Takes XYZ apart into its blocks; refuses a file whose counts lead anywhere else than to its end. */
export class XyzBlocks implements LineReader {
  readonly #block: GatheredText
  /** Lines of the block that are still to come. */
  #left = 0
  #count = 0

  constructor(limits: StructureLimits) {
    this.#block = new GatheredText(limits, { findsNext: true })
  }

  line(text: string, number: number): readonly FileFrame[] {
    if (this.#left === 0) {
      if (text.trim() === '') return NO_FRAMES
      this.#left = this.#linesOfBlock(text, number)
      this.#block.begin(number)
      this.#count += 1
    }
    this.#block.add(`${text}\n`)
    this.#left -= 1
    return this.#left === 0 ? [this.#block.take()] : NO_FRAMES
  }

  finish(): readonly FileFrame[] {
    if (this.#count === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The file is empty.')
    return this.#left === 0 ? [] : [this.#block.take()]
  }

  #linesOfBlock(text: string, line: number): number {
    const [count, ...others] = wordsOf(text)
    const atoms = readCount(count)
    if (atoms !== undefined && others.length === 0) return 2 + atoms
    const message =
      this.#count === 0
        ? 'An XYZ file begins with the number of atoms.'
        : `"${shorten(text)}" follows the last of the announced atoms.`
    const hint = 'The first line gives the number of atoms that follow.'
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line, hint })
  }
}

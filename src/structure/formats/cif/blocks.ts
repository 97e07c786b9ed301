import { AppError } from '../../../kernel/errors.ts'
import type { StructureLimits } from '../../crystal.ts'
import { type FileFrame, GatheredText, type LineReader, NO_FRAMES, requireShort } from '../common/splitter.ts'
import { hasAtoms, modelTexts } from './atoms.ts'
import { type CifBlock, readCifDocument } from './document.ts'
import { hasCell, noStructures } from './structures.ts'

const DATA = /^\s*data_/i
const SECOND_VERSION = /^#\\#CIF_2/

/** Takes a CIF apart into its data blocks that are structures, and these into their models: blocks with atoms and a cell, else those with atoms. */
export class CifBlocks implements LineReader {
  readonly #limits: StructureLimits
  readonly #block: GatheredText
  /** All of the file until there is a second structure: blocks without atoms speak of the only one. */
  readonly #whole: GatheredText
  /** The only structure so far. */
  #only: readonly FileFrame[] = NO_FRAMES
  #structures = 0
  #isInData = false
  /** Whether the lines are those of a text field, which ends with the next semicolon at the start of one. */
  #isInField = false
  /** First line of a file of CIF 2.0, without which lists and tables would be read as words. */
  #version = ''
  /** Whether a block with a cell has been found. */
  #hasCell = false
  readonly #withoutCell: FileFrame[] = []
  #lengthWithoutCell = 0

  constructor(limits: StructureLimits) {
    this.#limits = limits
    this.#block = new GatheredText(limits)
    this.#whole = new GatheredText(limits)
  }

  line(text: string, number: number): readonly FileFrame[] {
    if (number === 1 && SECOND_VERSION.test(text)) this.#version = `${text}\n`
    if (text.startsWith(';')) this.#isInField = !this.#isInField
    const isData = !this.#isInField && DATA.test(text)
    const before = isData ? this.#block.take() : null
    if (isData) this.#block.begin(number)
    this.#block.add(`${text}\n`)
    if (this.#structures < 2) this.#whole.add(`${text}\n`)
    // What stands before the first block is in none.
    const frames = before !== null && this.#isInData ? this.#structuresIn(before) : NO_FRAMES
    if (isData) this.#isInData = true
    return frames
  }

  *finish(): Generator<FileFrame> {
    yield* this.#structuresIn(this.#block.take())
    const left = this.#hasCell ? this.#only : this.#withoutCell
    if (this.#structures < 2 && left.length === 0) throw noStructures()
    if (this.#structures < 2) yield* left.length === 1 ? [this.#whole.take()] : left
  }

  /** The structures of a whole block; those without a cell wait until it is known that no other has one. */
  #structuresIn(block: FileFrame): readonly FileFrame[] {
    const frame = this.#ofVersion(block)
    const [read] = readCifDocument(frame.text)
    if (read === undefined) return NO_FRAMES
    const isComplete = hasCell(read)
    if (!isComplete && this.#hasCell) return NO_FRAMES
    const models = modelsOf(frame, read).map((model) => this.#ofVersion(model))
    if (isComplete) {
      this.#hasCell ||= models.length > 0
      return this.#found(models)
    }
    this.#lengthWithoutCell += models.reduce((sum, { text }) => sum + text.length, 0)
    requireShort(this.#lengthWithoutCell, this.#limits, frame.line)
    this.#withoutCell.push(...models)
    return NO_FRAMES
  }

  /** Holds the first structure back until there is another. */
  #found(models: readonly FileFrame[]): readonly FileFrame[] {
    if (models.length === 0) return NO_FRAMES
    this.#structures += 1
    const before = this.#only
    this.#only = this.#structures === 1 ? models : NO_FRAMES
    if (this.#structures === 1) return NO_FRAMES
    this.#whole.begin(1)
    return [...before, ...models]
  }

  #ofVersion({ text, line }: FileFrame): FileFrame {
    if (text.startsWith(this.#version)) return { text, line }
    return { text: this.#version + text, line: line - 1 }
  }
}

/** The models of a block, none where it has no atoms; one that cannot be read is refused by whoever reads it. */
function modelsOf(frame: FileFrame, block: CifBlock): readonly FileFrame[] {
  try {
    if (!hasAtoms(block)) return NO_FRAMES
    return [...modelTexts(frame.text, block)].map(({ text, line }) => ({ text, line: frame.line + line - 1 }))
  } catch (error) {
    if (error instanceof AppError) return [frame]
    throw error
  }
}

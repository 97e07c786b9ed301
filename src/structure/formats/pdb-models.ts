import type { StructureLimits } from '../crystal.ts'
import { type FileFrame, GatheredText, type LineReader, NO_FRAMES, requireShort } from './common/splitter.ts'

/** Records that hold for the models behind them; those before a later model take the place of earlier ones. */
const SHARED = /^(?:TITLE |COMPND|CRYST1|SCALE[123])/
const ATOM = /^(?:ATOM {2}|HETATM)/
const MODEL = /^MODEL\b/
const MODEL_END = /^ENDMDL\b/

/** Takes a PDB file apart into its models, each with what stands before the first one and the latest title and cell. */
export class PdbModels implements LineReader {
  readonly #limits: StructureLimits
  /** All of the file, until there is a second model. */
  readonly #whole: GatheredText
  /** Lines that are repeated before each model. */
  #head: string[] = []
  #headLength = 0
  readonly #model: GatheredText
  #models = 0
  #isInModel = false
  /** Kinds of shared records that have come since the last model. */
  #renewed = new Set<string>()

  constructor(limits: StructureLimits) {
    this.#limits = limits
    this.#whole = new GatheredText(limits)
    this.#model = new GatheredText(limits)
  }

  line(text: string, number: number): readonly FileFrame[] {
    const isModel = MODEL.test(text)
    const frames = isModel && this.#models > 0 ? [this.#model.take()] : NO_FRAMES
    if (isModel) this.#beginModel(number)
    if (this.#models < 2) this.#whole.add(`${text}\n`)
    if (this.#isInModel) this.#model.add(`${text}\n`)
    else if (this.#models === 0 ? !ATOM.test(text) : SHARED.test(text)) this.#share(text, number)
    if (MODEL_END.test(text)) this.#isInModel = false
    return frames
  }

  finish(): readonly FileFrame[] {
    return [this.#models < 2 ? this.#whole.take() : this.#model.take()]
  }

  #beginModel(line: number): void {
    this.#models += 1
    if (this.#models === 2) this.#whole.begin(1)
    this.#isInModel = true
    this.#renewed = new Set()
    this.#model.begin(line - this.#head.length)
    for (const shared of this.#head) this.#model.add(`${shared}\n`)
  }

  #share(text: string, line: number): void {
    const kind = SHARED.exec(text)?.[0]
    if (kind !== undefined && this.#models > 0 && !this.#renewed.has(kind)) {
      this.#renewed.add(kind)
      this.#head = this.#head.filter((one) => !one.startsWith(kind))
      this.#headLength = this.#head.join().length
    }
    this.#headLength += text.length
    requireShort(this.#headLength, this.#limits, line)
    this.#head.push(text)
  }
}

import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import type { Calculation, OutputFormat, OutputLimits, OutputReader } from '../../calculation.ts'
import { OutputLines } from '../../output-lines.ts'
import { PwRun } from './pw-run.ts'

/** What pw.x prints while it runs. */
export const pwOutputFormat: OutputFormat = {
  name: 'espresso-output',
  title: 'Quantum ESPRESSO pw.x output',
  fileNames: /\.(?:out|pwo|pwout|log)$/i,
  recognizes: (head) => /^ *Program PWSCF\b/m.test(head),
  source: { kind: 'text', open: (limits) => new PwOutputReader(limits) },
}

const START = 'Program PWSCF'
const END = 'JOB DONE'

/** Reads the runs of a file, one after the other. */
class PwOutputReader implements OutputReader {
  readonly #limits: OutputLimits
  readonly #lines = new OutputLines((line, number, isEnded) => {
    // A number that was cut is another number.
    if (isEnded || line.includes(END)) this.#line(line, number)
  })
  readonly #calculations: Calculation[] = []
  #run: PwRun | null = null
  /** Lines before the first run that say something. */
  #before = 0

  constructor(limits: OutputLimits) {
    this.#limits = limits
  }

  write(text: string): void {
    this.#lines.write(text)
  }

  end(): readonly Calculation[] {
    this.#lines.end()
    if (this.#run === null) {
      const hint = 'Send what pw.x prints while it runs, from its beginning.'
      throw refusal(FORMAT_ERRORS.unknownFormat, `The file has no line "${START}".`, { hint })
    }
    this.#finish()
    return this.#calculations
  }

  #line(line: string, number: number): void {
    if (line.trimStart().startsWith(START)) {
      this.#finish()
      if (this.#calculations.length >= this.#limits.calculations) {
        const message = `The file has more than ${this.#limits.calculations} calculations.`
        throw refusal(FORMAT_ERRORS.tooManyFrames, message, { line: number, hint: 'Send it in parts.' })
      }
      this.#run = new PwRun(this.#limits, this.#before)
    }
    if (this.#run !== null) this.#run.line(line, number)
    else if (line.trim() !== '') this.#before += 1
  }

  #finish(): void {
    if (this.#run !== null) this.#calculations.push(this.#run.end())
  }
}

import { FORMAT_ERRORS, refusal } from '../../../../structure/errors.ts'
import type { Calculation, OutputFormat, OutputLimits, OutputReader } from '../../../calculation.ts'
import { OutputLines } from '../../../output-lines.ts'
import { outcarCalculation } from './outcar-calculation.ts'
import { OutcarLines } from './outcar-lines.ts'
import { OutcarReport } from './outcar-report.ts'

/** OUTCAR of VASP: the report of a run. */
export const outcarFormat: OutputFormat = {
  name: 'outcar',
  title: 'VASP OUTCAR',
  fileNames: /(?:^|[^a-z])outcar(?:[^a-z]|$)/i,
  recognizes: (head) => HEAD.test(head),
  source: { kind: 'text', open: (limits) => new OutcarReader(limits) },
}

/** First line: `vasp.6.4.2 20Jul23 (build …) complex`. */
const HEAD = /^\ufeff?[ \t]{0,8}vasp\.\d/

class OutcarReader implements OutputReader {
  readonly #report: OutcarReport
  readonly #lines: OutputLines

  constructor(limits: OutputLimits) {
    this.#report = new OutcarReport(limits)
    const lines = new OutcarLines(this.#report)
    this.#lines = new OutputLines((line, number) => lines.take(line, number))
  }

  write(text: string): void {
    this.#lines.write(text)
  }

  end(): readonly Calculation[] {
    this.#lines.end()
    if (this.#report.version === null)
      throw refusal(FORMAT_ERRORS.malformed, 'The file is empty, and no OUTCAR.', { line: 1 })
    this.#report.endStep()
    return [outcarCalculation(this.#report, this.#lines.cut)]
  }
}

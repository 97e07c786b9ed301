import type { Calculation, OutputLimits } from '../../calculation.ts'
import { calculationOfRun } from './pw-calculation.ts'
import type { PwBlock } from './pw-lines.ts'
import { ruleFor } from './pw-rules.ts'
import { PwState } from './pw-state.ts'

/** Longer lines are none that pw.x writes. */
const LONGEST_LINE = 1000

/** Reads one run of pw.x, line by line. */
export class PwRun {
  readonly #state: PwState
  /** What reads the lines behind one. */
  #block: PwBlock | null = null

  /** Takes the number of lines that stand before the run and belong to none. */
  constructor(limits: OutputLimits, before: number) {
    this.#state = new PwState(limits)
    if (before > 0) this.#state.remainder.leaveOut(`lines before the run (${before})`)
  }

  line(line: string, number: number): void {
    if (line.length > LONGEST_LINE) {
      this.#state.remainder.count(`lines of more than ${LONGEST_LINE} characters`)
      return
    }
    const text = line.trim()
    if (this.#block !== null) {
      const taken = this.#block(text)
      if (taken !== 'more') this.#block = null
      if (taken !== 'other') return
    }
    if (text === '') return
    const rule = ruleFor(text)
    if (rule === undefined) this.#state.unread.take(text, number)
    else this.#block = rule(this.#state, text, number)
  }

  end(): Calculation {
    return calculationOfRun(this.#state)
  }
}

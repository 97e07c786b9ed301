import { FORMAT_ERRORS, refusal } from '../../../../structure/errors.ts'
import { endRules } from './end-rules.ts'
import { headerRules } from './header-rules.ts'
import type { LineBlock } from './line-block.ts'
import type { OutcarReport } from './outcar-report.ts'
import type { LineUse, Rule } from './rules.ts'
import { stepRules } from './step-rules.ts'

/** Reads an OUTCAR line by line: what of it belongs together is a block, which has the lines until it ends. */
export class OutcarLines {
  readonly #report: OutcarReport
  readonly #rules: readonly Rule[]
  #block: LineBlock | null = null

  constructor(report: OutcarReport) {
    this.#report = report
    this.#rules = [...headerRules(report), ...stepRules(report), ...endRules(report)]
  }

  take(line: string, number: number): void {
    if (number === 1) {
      this.#begin(line)
      return
    }
    if (this.#block?.take(line)) return
    this.#block = null
    const use = this.#find(line)
    if (use === 'other') this.#report.unused.take(line)
    else if (use !== 'used') this.#block = use
  }

  #begin(line: string): void {
    const [, version, build = ''] = /^\ufeff?\s*vasp\.(\S+)\s*(.*)$/.exec(line) ?? []
    if (version === undefined) {
      const message = 'The file is no OUTCAR: its first line does not name the version of VASP.'
      throw refusal(FORMAT_ERRORS.malformed, message, { line: 1, hint: 'It begins as in "vasp.6.4.2 20Jul23".' })
    }
    this.#report.version = version
    if (build !== '') this.#report.unused.count('build', build)
  }

  #find(line: string): LineUse {
    if (ROW.test(line)) return 'other'
    if (/^\s*\|.*\|\s*$/.test(line)) {
      this.#report.noticeLines++
      return 'used'
    }
    for (const [words, take] of this.#rules) {
      if (!line.includes(words)) continue
      const use = take(line)
      if (use !== 'other') return use
    }
    return 'other'
  }
}

/** Row of numbers, as most lines are, which no rule is for. */
const ROW = /^[\s\d.+-]*$/

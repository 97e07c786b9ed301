import { isRule, type LineBlock, numbersIn } from './line-block.ts'
import type { OutcarReport } from './outcar-report.ts'
import type { Rule } from './rules.ts'

/** Rules for what stands at the end of the report. */
export function endRules(report: OutcarReport): readonly Rule[] {
  return [
    ['TOTAL ELASTIC MODULI (kBar)', () => elasticBlock((rows) => (report.elastic = rows))],
    ['General timing and accounting', () => 'used'],
    [
      'Total CPU time used (sec):',
      (line) => takeSeconds(line, (seconds) => (report.times = { ...report.times, cpuSeconds: seconds })),
    ],
    [
      'Elapsed time (sec):',
      (line) => {
        report.isWhole = true
        return takeSeconds(line, (seconds) => (report.times = { ...report.times, wallSeconds: seconds }))
      },
    ],
  ]
}

function takeSeconds(line: string, take: (seconds: number) => void): 'used' | 'other' {
  const seconds = numbersIn(line.slice(line.lastIndexOf(':') + 1))?.[0]
  if (seconds === undefined) return 'other'
  take(seconds)
  return 'used'
}

const COMPONENTS = 6

/** Six rows, each behind the name of a component, in kbar. */
function elasticBlock(take: (rows: readonly (readonly number[])[]) => void): LineBlock {
  const rows: (readonly number[])[] = []
  return {
    take: (line) => {
      const [, text] = /^\s*[XYZ]{2}\s+(.*)$/.exec(line) ?? []
      if (text === undefined) return rows.length === 0 && (isRule(line) || line.includes('Direction'))
      const numbers = numbersIn(text)
      if (numbers?.length !== COMPONENTS) return false
      rows.push(numbers)
      if (rows.length === COMPONENTS) take(rows)
      return rows.length <= COMPONENTS
    },
  }
}

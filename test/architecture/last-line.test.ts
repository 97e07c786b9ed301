import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failedTests, failuresIn, inWords, readCounts, sum } from '../../scripts/suites.mjs'

describe('the last line of a run', () => {
  it('is read where it is the last, and as a line of its own', () => {
    expect(readCounts('3 passed, 1 failed, 0 skipped\n')).toEqual({ passed: 3, failed: 1, skipped: 0 })
    expect(readCounts('Node.js 22: 3 passed, 0 failed, 0 skipped\n4 passed, 0 failed, 2 skipped\n')).toEqual({
      passed: 4,
      failed: 0,
      skipped: 2,
    })
    for (const text of ['', '3 passed, 0 failed, 0 skipped\nand then it broke', 'x 3 passed, 0 failed, 0 skipped'])
      expect(readCounts(text)).toBeNull()
  })

  it('is the sum of the steps', () => {
    const counts = { passed: 3, failed: 1, skipped: 2 }
    expect(readCounts(inWords(sum(counts, counts)))).toEqual({ passed: 6, failed: 2, skipped: 4 })
  })

  it('has before it the names of the tests that have failed, of every step', () => {
    const report = join(mkdtempSync(join(tmpdir(), 'quarry-report-')), 'report.json')
    const suite = (name: string, status: string, ...tests: string[]) => ({
      name,
      status,
      assertionResults: tests.map((fullName) => ({ fullName, status })),
    })
    const testResults = [suite('a.ts', 'passed', 'good'), suite('b.ts', 'failed', 'bad'), suite('c.ts', 'failed')]
    writeFileSync(report, JSON.stringify({ testResults }))
    expect(failedTests(report)).toEqual(['b.ts: bad', 'c.ts'])
    expect(failedTests(`${report}.none`)).toEqual([])
    expect(failuresIn('failed: b.ts: bad\nok\nnpm run test: 1 passed, 1 failed, 0 skipped\n')).toEqual(['b.ts: bad'])
  })
})

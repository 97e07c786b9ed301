import { describe, expect, it } from 'vitest'
import { type LongTurn, LongTurns, TurnWatch } from '../../src/http/server/long-turns.ts'
import { logToLines } from '../support/log-lines.ts'
import { stacksOf } from '../support/turn-profile.ts'

/** Looks are due every 20 ms; `steps` say how much later each one came, and what the thread did meanwhile. */
function turnsOf(steps: readonly { readonly passed: number; readonly spent: number | null }[]): (number | null)[] {
  let now = 0
  let spent: number | null = steps.some((step) => step.spent === null) ? null : 0
  const watch = new TurnWatch({
    now: () => now,
    thread: {
      get spentMs() {
        return spent
      },
    },
  })
  return steps.map((step) => {
    now += step.passed
    spent = spent === null || step.spent === null ? null : spent + step.spent
    return watch.look()?.spent ?? null
  })
}

describe('a turn of the event loop', () => {
  it.each([
    ['is told that took more than 50 ms of a processor', [{ passed: 91, spent: 80 }], [71]],
    ['of 50 ms is not', [{ passed: 70, spent: 70 }], [null]],
    ['that had no processor is not, on a busy machine', [{ passed: 900, spent: 12 }], [null]],
    [
      'is told once',
      [
        { passed: 100, spent: 90 },
        { passed: 20, spent: 2 },
      ],
      [80, null],
    ],
    ['of a system that tells nothing counts by time', [{ passed: 100, spent: null }], [80]],
    [
      'is none where much was done in many',
      [
        { passed: 21, spent: 21 },
        { passed: 20, spent: 20 },
      ],
      [null, null],
    ],
  ])('%s', (_, steps, expected) => {
    expect(turnsOf(steps)).toEqual(expected)
  })

  it('that was too long is in the log and counted', () => {
    const { log, lines } = logToLines()
    const turns = new LongTurns(log)
    const turn: LongTurn = { began: 0, ended: 100, spent: 71.4 }
    turns.note(turn)
    turns.note(turn)
    expect(lines).toEqual(
      Array(2).fill(expect.objectContaining({ event: 'turn.too-long', level: 'warn', milliseconds: 71 })),
    )
    expect(turns.metrics.map(([spec, value]) => [spec.name, value])).toEqual([
      ['quarry_event_loop_long_turns_total', 2],
      ['quarry_event_loop_long_turns_cpu_seconds_total', expect.closeTo(0.1428)],
    ])
  })
})

describe('the profile of a turn', () => {
  const source = new URL('../../src/store/some.ts', import.meta.url).href
  const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 4 })
  const nodes = [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 3, 4] },
    { id: 2, callFrame: frame('ofProgram', source), children: [5] },
    { id: 3, callFrame: frame('ofTest', import.meta.url), children: [6] },
    { id: 4, callFrame: frame('(garbage collector)', '') },
    { id: 5, callFrame: frame('inside', source) },
    { id: 6, callFrame: frame('calledByTest', source) },
  ]
  const startTime = Number(process.hrtime.bigint()) / 1e3
  const began = performance.now()

  it('has what the program began, and not what the test did', () => {
    const samples = [5, 5, 6, 4, 2]
    const timeDeltas = samples.map(() => 10_000)
    const profile = { nodes, startTime, samples, timeDeltas }
    const { milliseconds, stacks } = stacksOf(profile, { began, ended: began + 100, spent: 50 })
    expect(milliseconds).toBe(30)
    expect(stacks[0]).toContain('for 20 ms\n    inside src/store/some.ts:5\n    ofProgram src/store/some.ts:5')
    expect(stacks.join()).not.toContain('calledByTest')
  })

  it('counts what a thread had of a processor, however long it waited for it', () => {
    const profile = { nodes, startTime, samples: [5, 6], timeDeltas: [60_000, 20_000] }
    const { milliseconds, stacks } = stacksOf(profile, { began, ended: began + 100, spent: 20 })
    expect(milliseconds).toBe(15)
    expect(stacks[0]).toContain('for 15 ms')
  })

  it('has nothing of other turns', () => {
    const turn = { began: began + 500, ended: began + 600, spent: 50 }
    expect(stacksOf({ nodes, startTime, samples: [5], timeDeltas: [10_000] }, turn).milliseconds).toBe(0)
  })
})

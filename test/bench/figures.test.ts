import { describe, expect, it } from 'vitest'
import { median, percentile, spread } from '../../bench/load/statistics.ts'
import type { Measurement, Refusal } from '../../bench/measure/measurement.ts'
import { ASKED } from '../../bench/never-asked.ts'
import { readOptions } from '../../bench/options.ts'
import { QUERY_TABLE, type QueryRow } from '../../bench/query-table.ts'
import { faultsOfQuarry, figuresOfRun, type RoundResults, ratioOfRun } from '../../bench/report/figures.ts'
import { disturbedIn, presentReport } from '../../bench/report/markdown.ts'
import { medianOf } from '../../bench/report/median-of.ts'
import { verdictsOf } from '../../bench/report/verdicts.ts'
import { TARGETS } from '../../bench/targets.ts'

describe('statistics', () => {
  it('takes percentiles by nearest rank', () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([percentile(samples, 0.5), percentile(samples, 0.99), percentile(samples, 1)]).toEqual([50, 99, 100])
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(spread([9, 10, 12])).toBe(0.3)
  })
})

/** CPU per request of servers in three rounds, the second on a machine that is twice as slow. */
const CPU: { readonly [contestant: string]: readonly [number, number, number] } = {
  bare: [20, 40, 20],
  fair: [25, 50, 25],
  quarry: [30, 60, 40],
  'express-mingo': [300, 660, 300],
  'express-nedb': [900, 1800, 900],
}

const LOAD = {
  documents: 2048,
  documentsPerSecond: 4500,
  cpuMicros: 1,
  writtenKilobytes: 1,
  peakMegabytes: 1,
  fileMegabytes: 9,
  meanBytes: 1,
}

const NOT_ASKED = {
  bulk: null,
  queries: null,
  queriesOnPostgres: null,
  start: null,
  firstUse: null,
  cold: null,
  counts: null,
  facets: null,
  properties: null,
  others: null,
  walks: null,
  writes: null,
  writesOnPostgres: null,
  accounts: null,
  workers: null,
  export: null,
}

function roundOf(number: number): RoundResults {
  return {
    ...NOT_ASKED,
    load: LOAD,
    linesThatFind: 7000,
    contestants: Object.keys(CPU).map((name) => ({
      name,
      title: name,
      role: name === 'bare' || name === 'fair' ? 'floor' : name === 'quarry' ? 'quarry' : 'peer',
    })),
    servers: Object.entries(CPU).map(([contestant, cpu]) => ({
      contestant,
      startMs: 1,
      residentMegabytes: { afterStart: 1, afterLoad: 1, peak: 1 },
      refusals: [],
      measurements: [measured(contestant, cpu[number] ?? Number.NaN)],
    })),
    parts: [{ part: 'queries', cores: 0.01 * number, memory: { now: 100 + number, peak: 200 } }],
  }
}

const rounds: readonly [RoundResults, RoundResults, RoundResults] = [roundOf(0), roundOf(1), roundOf(2)]
const results = rounds[0]
const figuresOf = (round: RoundResults) => figuresOfRun([round])

function measured(contestant: string, cpuMicros: number): Measurement {
  return { contestant, workload: 'A', requests: 1, cpuMicros, perSecond: 1, medianMs: 1, p99Ms: 1, worstMs: 1 }
}

describe('figures of a run', () => {
  it('takes ratios within a round, so that a machine that slows down changes nothing', () => {
    expect(figuresOfRun(rounds.slice(0, 2)).get('A quarry / bare')).toEqual({ value: 1.5, noise: 0 })
  })

  it('takes the median of the rounds, against both floors, and says how far they are apart', () => {
    const figures = figuresOfRun(rounds)
    expect(figures.get('A quarry / bare')).toEqual({ value: 1.5, noise: (2 - 1.5) / 1.5 })
    expect(figures.get('A quarry / fair')?.value).toBe(1.2)
    expect(ratioOfRun(rounds, 'A', 'quarry', 'fair')).toEqual(figures.get('A quarry / fair'))
    expect(figuresOf(results).get('A quarry / fair')?.noise).toBeNull()
  })

  it('compares with the best of the peers', () => {
    expect(figuresOfRun(rounds.slice(0, 2)).get('A best peer / quarry')?.value).toBe(10.5)
  })

  it('has no figure of a query table that has a wrong row, and calls the run a failure', () => {
    const row = QUERY_TABLE[0] as QueryRow
    const measuredRow = { row, matches: 1, firstMs: 1, measurement: measured('quarry', 1) }
    const refusal = { contestant: 'quarry', workload: 'Q2', fault: '49 documents instead of 50' }
    const queries = (refusals: readonly Refusal[]) => ({
      rows: [measuredRow],
      refusals,
      besideScan: null,
      residentMegabytes: 1,
      startMs: 7,
    })
    const right = { ...results, queries: queries([]) }
    const wrong = { ...results, queries: queries([refusal]) }
    expect(figuresOf(right).get('index rows, median ms')?.value).toBe(1)
    expect(figuresOf(right).get('start, ms')?.value).toBe(7)
    expect(figuresOf(wrong).has('index rows, median ms')).toBe(false)
    expect([faultsOfQuarry(right), faultsOfQuarry(wrong)]).toEqual([[], [refusal]])
  })

  it('takes the slowest first use, and of counts the slowest that an index serves', () => {
    const firstUse = {
      rows: [
        { id: 'name', firstMs: 3 },
        { id: 'tags', firstMs: 9 },
      ],
      readsBeside: 100,
      p99Ms: 2,
      worstMs: 4,
    }
    const count = { matches: 1, p99Ms: 1 }
    const rows = [
      { ...count, id: 'Q1', served: 'index', medianMs: 5 },
      { ...count, id: 'S1', served: 'scan', medianMs: 70 },
    ] as const
    const figures = figuresOf({ ...results, firstUse, counts: { rows, refusals: [] } })
    expect(figures.get('first use, slowest ms')?.value).toBe(9)
    expect(figures.get('reads beside first use, p99 ms')?.value).toBe(2)
    expect(figures.get('counts, slowest ms')?.value).toBe(5)
  })

  it('takes what a start, cold documents, many accounts and workers showed', () => {
    const start = {
      startMs: 300,
      firstListMs: 70,
      aloneSeconds: 60,
      aloneCpuSeconds: 4,
      residentMegabytes: { afterStart: 90, afterAlone: 200, peak: 300 },
    }
    const figures = figuresOf({
      ...results,
      start,
      cold: { lists: 300, cpuMs: 1.5, medianMs: 2, residentMegabytes: 333 },
      accounts: {
        accounts: 2001,
        firstListMs: { median: 3, worst: 80 },
        readsBeside: { p99Ms: 1, worstMs: 9 },
        residentMegabytes: { afterLists: 500, peak: 600 },
      },
      workers: { one: 1000, two: 1700, bare: { one: 9000, two: 9900 }, laden: { one: 1000, two: 1800 } },
    })
    const names = [
      'first list, ms',
      'alone, CPU s',
      'alone, MB',
      'cold list, CPU ms',
      'after cold lists, MB',
      'accounts, slowest first list, ms',
      'accounts, MB at most',
      'two workers / one',
      'start, ms',
    ] as const
    expect(names.map((name) => figures.get(name)?.value)).toEqual([70, 4, 200, 1.5, 333, 80, 600, 1.7, 300])
  })

  it('takes the loading of this run where there is one, and the file of the whole data set', () => {
    const loaded = figuresOf({ ...results, bulk: { ...LOAD, documentsPerSecond: 9000, fileMegabytes: 1 } })
    expect(loaded.get('load, documents/s')?.value).toBe(9000)
    expect(figuresOf(results).get('load, documents/s')?.value).toBe(4500)
    expect(loaded.get('file, KB a document')?.value).toBe(4.5)
  })

  it('calls a run a failure that counted wrongly', () => {
    const refusals = [{ contestant: 'quarry', workload: 'count of Q2', fault: '5 instead of 6' }]
    expect(faultsOfQuarry({ ...results, counts: { rows: [], refusals } })).toEqual(refusals)
  })

  it('has no figure for what was not measured', () => {
    expect(figuresOf(results).has('create with symmetry, CPU ms')).toBe(false)
  })
})

describe('the middle of rounds', () => {
  it('is the median of each number, of lists element by element, and the rest as in the first', () => {
    const values = [
      { name: 'x', ms: 3, rows: [{ id: 'Q1', ms: 1 }], none: null },
      { name: 'y', ms: 9, rows: [], none: null },
      { name: 'z', ms: 5, rows: [{ id: 'Q1', ms: 2 }], none: null },
    ] as const
    expect(medianOf<object>(values)).toEqual({ name: 'x', ms: 5, rows: [{ id: 'Q1', ms: 1.5 }], none: null })
  })
})

describe('verdicts', () => {
  const figures = figuresOf(results)
  const outcome = (bound: { atMost?: number; atLeast?: number; documents?: number }, documents: number) =>
    verdictsOf([{ statement: 'A', figure: 'A quarry / bare', ...bound }], figures, { documents, isVoid: false })[0]
      ?.outcome

  it('holds a figure against its bound', () => {
    expect(outcome({ atMost: 1.5 }, 100_000)).toBe('met')
    expect(outcome({ atMost: 1.49 }, 100_000)).toBe('not met')
    expect(outcome({ atLeast: 1.51 }, 100_000)).toBe('not met')
  })

  it('says nothing about a data set of another size', () => {
    expect(outcome({ atMost: 1.5 }, 2000)).toBe('not measured')
    expect(outcome({ atMost: 1.5, documents: 1_000_000 }, 100_000)).toBe('not measured')
  })

  it('never calls a target met that has no figure', () => {
    const missing = { statement: 'creates', figure: 'create with symmetry, CPU ms', atMost: 3 } as const
    const state = { documents: 100_000, isVoid: false }
    expect(verdictsOf([missing], figures, state)[0]?.outcome).toBe('not measured')
  })

  it('calls none met on a machine that was not idle', () => {
    const target = { statement: 'A', figure: 'A quarry / bare', atMost: 9 } as const
    expect(verdictsOf([target], figures, { documents: 100_000, isVoid: true })[0]?.outcome).toBe('void')
  })
})

describe('the report of a run', () => {
  const machine = {
    date: '2026-01-02T03:04:05Z',
    cores: 2,
    cpu: 'a processor',
    memoryGigabytes: 16,
    node: 'v20',
    sqlite: '3',
    commit: '0123456',
    code: '0123456789ab',
  }
  const options = readOptions(['--documents', '100000', '--no-peers', '--only', 'A'])
  if (options === 'help') throw new Error('options are help')
  const report = (ofRounds: readonly [RoundResults, ...RoundResults[]], isVoid: boolean) => {
    const verdicts = verdictsOf(TARGETS, figuresOfRun(ofRounds), { documents: 100_000, isVoid })
    return presentReport({ machine, options, rounds: ofRounds, verdicts }, ASKED)
  }

  it('carries its commit, the medians, and the memory after each part', () => {
    const text = report(rounds, false)
    expect(text).toMatch(/^# Benchmark of 2026-01-02\n/)
    expect(text).toContain('medians of 3 rounds. Commit 0123456, code 0123456789ab')
    expect(text).toContain('| quarry | 40 ± 38 % |')
    expect(text).toContain('| quarry | 1.2× |')
    expect(text).toContain('| queries | 101 | 200 | 0.01 |')
  })

  it('is void where others took too much in any part of any round', () => {
    const busy: RoundResults = { ...results, parts: [{ part: 'writes', cores: 0.7, memory: null }] }
    expect(disturbedIn(rounds)).toEqual([])
    expect(disturbedIn([results, busy])).toEqual(busy.parts)
    const text = report([results, busy], true)
    expect(text).toMatch(/^# Void: benchmark of 2026-01-02\n\nOther processes took more than 0.1 cores/)
    expect(text).toContain('writes (0.7)')
    expect(text).not.toMatch(/\| (met|\*\*not met\*\*) \|/)
  })
})

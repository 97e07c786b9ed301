import { describe, expect, it } from 'vitest'
import { median, percentile, spread } from '../../bench/load/statistics.ts'
import type { Measurement, Refusal } from '../../bench/measure/measurement.ts'
import { faultsOfQuarry, figuresOf, type RunResults } from '../../bench/report/figures.ts'
import { verdictsOf } from '../../bench/report/verdicts.ts'
import { QUERY_TABLE, type QueryRow } from '../../bench/workloads.ts'

describe('statistics', () => {
  it('takes percentiles by nearest rank', () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([percentile(samples, 0.5), percentile(samples, 0.99), percentile(samples, 1)]).toEqual([50, 99, 100])
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(spread([9, 10, 12])).toBe(0.3)
  })
})

/** CPU per request of servers in two rounds, the second on a machine that is twice as slow. */
const CPU: { readonly [contestant: string]: readonly [number, number] } = {
  bare: [20, 40],
  quarry: [30, 60],
  'express-mingo': [300, 660],
  'json-server': [900, 1800],
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

const results: RunResults = {
  load: LOAD,
  bulk: null,
  contestants: Object.keys(CPU).map((name) => ({
    name,
    title: name,
    role: name === 'bare' ? 'floor' : name === 'quarry' ? 'quarry' : 'peer',
  })),
  rounds: Object.entries(CPU).flatMap(([contestant, cpu]) =>
    cpu.map((cpuMicros, round) => ({
      contestant,
      startMs: 1,
      residentMegabytes: { afterStart: 1, afterLoad: 1, peak: 1 },
      refusals: [],
      measurements: [measured(contestant, round, cpuMicros)],
    })),
  ),
  queries: null,
  queriesOnPostgres: null,
  firstUse: null,
  counts: null,
  facets: null,
  others: null,
  growth: null,
  walks: null,
  writes: null,
  writesOnPostgres: null,
  export: null,
}

function measured(contestant: string, round: number, cpuMicros: number): Measurement {
  return { contestant, workload: 'A', round, requests: 1, cpuMicros, perSecond: 1, medianMs: 1, p99Ms: 1, worstMs: 1 }
}

describe('figures of a run', () => {
  it('takes ratios within a round, so that a machine that slows down changes nothing', () => {
    expect(figuresOf(results).get('A quarry / bare')).toEqual({ value: 1.5, noise: 0 })
  })

  it('compares with the best of the peers', () => {
    expect(figuresOf(results).get('A best peer / quarry')?.value).toBe(10.5)
  })

  it('has no figure of a query table that has a wrong row, and calls the run a failure', () => {
    const row = QUERY_TABLE[0] as QueryRow
    const measuredRow = { row, matches: 1, firstMs: 1, measurement: measured('quarry', 0, 1) }
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

  it('takes the slowest of what an index serves, and leaves out scans', () => {
    const rows = [
      { id: 'Q1', served: 'index', firstMs: 3 },
      { id: 'Q2', served: 'index', firstMs: 9 },
      { id: 'S1', served: 'scan', firstMs: 70 },
    ] as const
    const figures = figuresOf({ ...results, firstUse: { rows, readsBeside: 100, p99Ms: 2, worstMs: 4 } })
    expect(figures.get('first use, slowest ms')?.value).toBe(9)
    expect(figures.get('reads beside first use, p99 ms')?.value).toBe(2)
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

describe('verdicts', () => {
  const figures = figuresOf(results)
  const outcome = (bound: { atMost?: number; atLeast?: number; documents?: number }, documents: number) =>
    verdictsOf([{ statement: 'A', figure: 'A quarry / bare', ...bound }], figures, documents)[0]?.outcome

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
    expect(verdictsOf([missing], figures, 100_000)[0]?.outcome).toBe('not measured')
  })
})

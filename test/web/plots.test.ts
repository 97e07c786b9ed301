import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differencesOf } from '../../web/pages/curate/differences.ts'
import { kpointsFile } from '../../web/pages/material/kpoints-file.ts'
import { readMeasuredPattern, thinned } from '../../web/plots/measured-pattern.ts'
import { millerText } from '../../web/plots/miller-text.ts'
import { chosenAfter, labelledPeaks, nearestPeak } from '../../web/plots/peaks.ts'
import { ticksBetween } from '../../web/plots/ticks.ts'
import { edgesOf, turned } from '../../web/plots/turned-body.ts'

describe('a measured pattern', () => {
  it('is read from columns, however they are parted, without remarks and headings', () => {
    const text = '# Cu Ka\n2theta intensity\n10.0\t5\n20.0, 105\r\n; end\n30 55 0.1\n'
    expect(readMeasuredPattern('a.xy', text).points).toEqual([
      [10, 0],
      [20, 100],
      [30, 50],
    ])
  })

  it('is refused where there is none', () => {
    expect(() => readMeasuredPattern('notes.txt', 'nothing\nhere\n')).toThrow('notes.txt has no pattern')
  })

  it('keeps its highest and lowest points where it is thinned', () => {
    const points = Array.from({ length: 5000 }, (_, index) => [index / 100, index === 2222 ? 100 : index % 7] as const)
    const kept = thinned(points, [0, 50], 300)
    expect(kept.length).toBeLessThanOrEqual(600)
    expect(kept).toContainEqual([22.22, 100])
    expect(kept.map(([angle]) => angle)).toEqual(kept.map(([angle]) => angle).sort((one, other) => one - other))
  })
})

describe('an axis', () => {
  it('has round ticks within its ends, about as many as asked for', () => {
    expect(ticksBetween(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100])
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 170, noNaN: true }),
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        (least, size) => {
          const ticks = ticksBetween(least, least + size, 6)
          expect(ticks.length).toBeGreaterThan(1)
          expect(ticks.length).toBeLessThan(9)
          expect(ticks.every((tick) => tick >= least - 1e-6 && tick <= least + size + 1e-6)).toBe(true)
        },
      ),
    )
  })
})

describe('peaks', () => {
  const peaks = [
    { twoTheta: 20, intensity: 10 },
    { twoTheta: 21, intensity: 100 },
    { twoTheta: 40, intensity: 50 },
  ]

  it('have labels where there is room, the strongest first', () => {
    expect([...labelledPeaks(peaks, 2, 9)]).toEqual([1, 2])
    expect([...labelledPeaks(peaks, 0.5, 1)]).toEqual([1])
  })

  it('are found by the angle that is pointed at, and one after the other by keys', () => {
    expect([nearestPeak(peaks, 20.4), nearestPeak(peaks, 90), nearestPeak([], 5)]).toEqual([0, 2, -1])
    expect(chosenAfter('ArrowRight', null, 3)).toBe(0)
    expect(chosenAfter('ArrowRight', 2, 3)).toBe(2)
    expect(chosenAfter('ArrowLeft', null, 3)).toBe(2)
    expect(chosenAfter('Escape', 1, 3)).toBeNull()
    expect(chosenAfter('a', 1, 3)).toBeUndefined()
  })

  it('are named with a line above negative indices, and apart where one has two digits', () => {
    expect(millerText([1, -1, 0])).toBe('11\u03050')
    expect(millerText([10, 0, -2])).toBe('10 0 2\u0305')
  })
})

describe('a body that is turned', () => {
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (bits) => [(bits & 1) - 0.5, ((bits >> 1) & 1) - 0.5, (bits >> 2) - 0.5] as const,
  )
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ]

  it('shows nine edges of a cube in front, and three behind', () => {
    const edges = edgesOf({ vertices, faces }, { around: 0.5, up: 0.4 })
    expect([edges.length, edges.filter(({ isInFront }) => isInFront).length]).toEqual([12, 9])
  })

  it('keeps its lengths', () => {
    expect(Math.hypot(...turned([1, 2, 3], { around: 1, up: 0.7 }))).toBeCloseTo(Math.hypot(1, 2, 3), 12)
  })
})

describe('two versions of a record', () => {
  it('differ where a value was changed, came or went', () => {
    const before = { name: 'a', lattice: { a: 1, b: 2 }, tags: ['x'], updatedAt: 1, old: true }
    const after = { name: 'b', lattice: { a: 1, b: 3 }, tags: ['x', 'y'], updatedAt: 2, fresh: null }
    expect(differencesOf(before, after)).toEqual([
      { path: 'name', before: 'a', after: 'b' },
      { path: 'lattice.b', before: 2, after: 3 },
      { path: 'tags', before: ['x'], after: ['x', 'y'] },
      { path: 'old', before: true, after: undefined },
      { path: 'fresh', before: undefined, after: null },
    ])
  })
})

describe('a file of k-points', () => {
  it('has two ends for every line of the path', () => {
    const points = [
      { label: 'Γ', fraction: [0, 0, 0], place: [0, 0, 0] },
      { label: 'X', fraction: [0.5, 0, 0], place: [1, 0, 0] },
    ] as const
    expect(
      kpointsFile({ path: [['Γ', 'X']], points }, 20)
        .split('\n')
        .slice(1, 6),
    ).toEqual([
      '20',
      'Line_mode',
      'Reciprocal',
      '0.00000000 0.00000000 0.00000000 ! GAMMA',
      '0.50000000 0.00000000 0.00000000 ! X',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { fittingIn } from '../../web/parts/fitting.ts'

describe('tags on one line', () => {
  it.each<[room: number, widths: readonly number[], fitting: number]>([
    [100, [], 0],
    [100, [30, 30, 32], 3],
    [99, [30, 30, 32], 1],
    [104, [30, 30, 40], 2],
    [103, [30, 30, 41], 1],
    [50, [60], 0],
    [60, [60], 1],
  ])('in %i pixels, of %j, are %i', (room, widths, fitting) => {
    expect(fittingIn(room, widths, 4, 36)).toBe(fitting)
  })
})

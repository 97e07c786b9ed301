import { describe, expect, it } from 'vitest'
import { readSpaceGroup, spaceGroupSymbol } from '../../src/structure/symmetry/space-group-setting.ts'

describe('a space group in any spelling', () => {
  it.each([
    ['225', 225],
    [' No. 225', 225],
    ['#62', 62],
    ['Fm-3m', 225],
    ['F m -3 m', 225],
    ['fm-3m', 225],
    ['Fm3m', 225],
    ['F 4/m -3 2/m', 225],
    ['Fm\u03053m', 225],
    ['F m 3\u0305 m', 225],
    ['Fm¯3m', 225],
    ['Fm\\bar{3}m', 225],
    ['$Fm\\overline{3}m$', 225],
    ['Fm−3m', 225],
    ['P21/c', 14],
    ['P2_1/c', 14],
    ['P2₁/c', 14],
    ['P 1 21/c 1', 14],
    ['P2(1)/c', 14],
    ['P2_{1}/c', 14],
    ['P21/n', 14],
    ['P63/mmc', 194],
    ['P6_3/mmc', 194],
    ['R-3m:H', 166],
    ['Cmca', 64],
    ['Cmce', 64],
    ['I41/amd', 141],
  ])('%s is %i', (text, number) => {
    expect(readSpaceGroup(text)).toBe(number)
  })

  it.each(['', '0', '231', 'cubic', 'Xm-3m', 'FCC', '2.5', '-1 -1'])('is not %j', (text) => {
    expect(readSpaceGroup(text)).toBeNull()
  })

  it('has one symbol, which names it again', () => {
    const numbers = Array.from({ length: 230 }, (_, index) => index + 1)
    expect(numbers.map((number) => readSpaceGroup(spaceGroupSymbol(number)))).toEqual(numbers)
    expect([14, 62, 194, 225, 227].map(spaceGroupSymbol)).toEqual(['P21/c', 'Pnma', 'P63/mmc', 'Fm-3m', 'Fd-3m'])
  })
})

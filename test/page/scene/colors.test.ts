import { describe, expect, it } from 'vitest'
import { contrast, GROUNDS, hexOf, INKS, inkOn, rgbOf, visibleOn } from '../../../src/page/scene/colors.ts'
import { isLigandOf, isMetal, lookOf, radiusOf } from '../../../src/page/scene/element-looks.ts'
import { ELEMENTS } from '../../../src/structure/elements/element.ts'

describe.each(['light', 'dark'] as const)('on a %s ground', (theme) => {
  it('every element can be told from it, and the ink has 4.5 to 1', () => {
    for (const { symbol } of ELEMENTS) {
      const color = visibleOn(theme, rgbOf(lookOf(symbol).color))
      expect(contrast(color, GROUNDS[theme]), symbol).toBeGreaterThanOrEqual(1.4)
    }
    expect(contrast(INKS[theme], GROUNDS[theme])).toBeGreaterThan(4.5)
  })
})

describe('colours', () => {
  it('are as in the table where they can be seen, and grey for hydrogen on white', () => {
    expect(hexOf(visibleOn('light', rgbOf(lookOf('O').color)))).toBe('#ff0d0d')
    expect(hexOf(visibleOn('dark', rgbOf(lookOf('H').color)))).toBe('#ffffff')
    expect(hexOf(visibleOn('light', rgbOf(lookOf('H').color)))).not.toBe('#ffffff')
  })

  it('have the symbol of the element on them in an ink that can be read', () => {
    for (const { symbol } of ELEMENTS) {
      const color = rgbOf(lookOf(symbol).color)
      expect(contrast(color, rgbOf(inkOn(color))), symbol).toBeGreaterThan(4.5)
    }
    expect([inkOn([255, 255, 0]), inkOn([0, 0, 128])]).toEqual(['#000000', '#ffffff'])
  })
})

describe('elements', () => {
  it('are all there, what is none looks like nothing else', () => {
    for (const { symbol, number } of ELEMENTS) {
      const { color, covalentRadius } = lookOf(symbol)
      expect(color).toMatch(/^#[0-9A-F]{6}$/)
      if (number > 96) expect(covalentRadius).toBeNull()
      else expect(covalentRadius).toSatisfy((value: number) => value > 0.2 && value < 2.7)
    }
    expect(lookOf('W')).toEqual({ symbol: 'W', covalentRadius: 1.62, color: '#2194D6' })
    expect([lookOf('X').color, radiusOf('X')]).toEqual(['#FF1493', 1.6])
  })

  it('draw electrons to themselves in the order of electronegativity, metals never', () => {
    expect([isLigandOf('Ti', 'O'), isLigandOf('S', 'O'), isLigandOf('O', 'S'), isLigandOf('Cu', 'Zn')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect([isMetal('Fe'), isMetal('Si'), isMetal('Xe')]).toEqual([true, false, false])
  })
})

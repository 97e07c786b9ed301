import { expect, test } from 'vitest'
import { ELEMENTS, elementOfNumber, findElement, isElementSymbol } from '../../src/structure/elements/element.ts'

test('there are 118 elements with distinct symbols and names', () => {
  expect(ELEMENTS).toHaveLength(118)
  expect(new Set(ELEMENTS.map((element) => element.symbol)).size).toBe(118)
  expect(new Set(ELEMENTS.map((element) => element.name)).size).toBe(118)
})

test('an element is found by symbol and by number', () => {
  expect(findElement('W')).toEqual({
    number: 74,
    symbol: 'W',
    name: 'Tungsten',
    mass: 183.84,
    electronegativity: 1.7,
  })
  expect(elementOfNumber(74)).toBe(findElement('W'))
  expect(elementOfNumber(0)).toBeUndefined()
  expect(elementOfNumber(119)).toBeUndefined()
})

test('letter case and isotopes matter, and no property of JavaScript objects is an element', () => {
  for (const text of ['SI', 'si', 'D', 'Fe1', '', 'constructor', '__proto__']) expect(isElementSymbol(text)).toBe(false)
})

test('values are of the size that they have in nature', () => {
  for (const { mass, electronegativity, number } of ELEMENTS) {
    expect(mass).toBeGreaterThan(number * 0.99)
    expect(mass).toBeLessThan(number * 3)
    if (electronegativity !== null) expect(electronegativity).toSatisfy((value: number) => value >= 0.7 && value <= 4)
  }
})

import { expect, test } from 'vitest'
import {
  ELEMENTS,
  elementOfNumber,
  findElement,
  isElementSymbol,
  isotopeOfMass,
} from '../../src/structure/elements/element.ts'

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

test.each([
  ['H', 2.014, 2],
  ['H', 3.016, 3],
  ['He', 3.016, 3],
  ['Be', 7.017, 7],
  ['C', 14.003, 14],
  ['O', 15, 15],
  ['Ca', 47.9525, 48],
  ['Sn', 123.9053, 124],
  ['Xe', 123.9059, 124],
  ['Cm', 242.0588, 242],
  // The natural element, and what programs write that need no mass.
  ['Si', 28, undefined],
  ['U', 238.03, undefined],
  ['Fe', 1, undefined],
  // Too heavy, too light, of no neutrons, or no whole number.
  ['Si', 100, null],
  ['Si', 13, null],
  ['O', 80, null],
  ['O', 2, null],
  ['H', 4, null],
  ['Li', 3, null],
  ['O', 17.5, null],
])('an atom of %s with the mass %d is of the isotope %j', (symbol, mass, isotope) => {
  expect(isotopeOfMass(symbol, mass)).toBe(isotope)
})

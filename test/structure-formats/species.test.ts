import { describe, expect, it } from 'vitest'
import { readLabel, readType } from '../../src/structure/formats/common/species.ts'

describe('readType', () => {
  it.each([
    ['Si', 'Si', true],
    ['Si4+', 'Si', true],
    ['O2-', 'O', true],
    ['Fe+3', 'Fe', true],
    ['Mn3.5+', 'Mn', true],
    ['CA', 'Ca', true],
    ['ZN2+', 'Zn', true],
    ['cl', 'Cl', true],
    ['Co', 'Co', true],
    ['Cval', 'C', false],
    ['Siva', 'Si', false],
    ['OH', 'O', false],
    ['H2O', 'O', false],
    ['Wat', 'O', false],
    ['NH4', 'N', false],
    ['CO3', 'Co', false],
    ['Nh', 'Nh', true],
  ])('reads %s as %s', (text, element, sure) => {
    expect(readType(text)).toEqual({ element, sure })
  })

  it('reads isotopes of hydrogen with their mass numbers', () => {
    expect(['D', 'T', 'D1+'].map(readType)).toEqual([
      { element: 'H', sure: true, isotope: 2 },
      { element: 'H', sure: true, isotope: 3 },
      { element: 'H', sure: true, isotope: 2 },
    ])
  })

  it.each(['X', 'Q1', 'Tv', 'Du', 'Bq', 'Vac', 'VA', 'vacancy', 'Gh-O', '@O', 'O:', 'O-Bq', 'Lp'])(
    'reads %s as no atom',
    (text) => {
      expect(readType(text)).toEqual({ element: null, sure: true })
    },
  )

  it.each(['', '?', '4+', 'M', '  '])('knows no element for "%s"', (text) => {
    expect(readType(text)).toBeUndefined()
  })
})

describe('readLabel', () => {
  it.each([
    ['Fe1', '', 'Fe'],
    ['FE1', '', 'Fe'],
    ['O2a', '', 'O'],
    ['C1', '', 'C'],
    ['Ca1', '', 'Ca'],
    ['CA1', 'C,H,N', 'C'],
    ['CA1', 'Ca,O', 'Ca'],
    ['CaM1', '', 'Ca'],
    ['SiT', '', 'Si'],
    ['AlT1o', '', 'Al'],
    ['KA', 'K,Al,Si,O', 'K'],
    ['OA1', '', 'O'],
    ['OHO7', '', 'O'],
    ['Ow1', '', 'O'],
    ['Wat', 'Ca,S,O', 'O'],
    ['W1', 'W,O', 'W'],
    ['Hw2', '', 'H'],
    ['HG11', 'C,H,O', 'H'],
    ['Hg1', '', 'Hg'],
    ['OG', '', 'O'],
    ['SG', '', 'S'],
    ['D3', '', 'H'],
    ['Cd1', 'C,H,O', 'C'],
    ['(Fe1)', '', 'Fe'],
    ['NaM4', '', 'Na'],
    ['O*', '', 'O'],
  ])('reads %s beside the formula %s as %s', (label, formula, element) => {
    expect(readLabel(label, new Set(formula === '' ? [] : formula.split(',')))?.element).toBe(element)
  })

  it('says when it had a choice', () => {
    expect(readLabel('Fe1', new Set())?.sure).toBe(true)
    expect(readLabel('CA1', new Set(['C']))?.sure).toBe(false)
  })

  it('takes VA for vanadium where the formula has it, else for a vacancy', () => {
    expect(readLabel('VA1', new Set(['V', 'O']))?.element).toBe('V')
    expect(readLabel('VA1', new Set(['Fe', 'O']))?.element).toBeNull()
  })

  it.each(['', '1', '??', 'M1', 'Qa'])('knows no element for "%s"', (label) => {
    expect(readLabel(label, new Set())).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { SPACE_GROUP_SETTINGS } from '../../src/structure/symmetry/space-group-setting.ts'
import { spaceGroupParts } from '../../web/parts/space-group-parts.ts'

const MARKS = { plain: '', letter: '', bar: '-', screw: '_' } as const

/** The symbol of the first setting of every group, as the tables write it: `P 6_3/m m c`. */
const symbols = Array.from({ length: 230 }, (_, index) => {
  const number = index + 1
  const symbol = SPACE_GROUP_SETTINGS.find((setting) => setting.number === number)?.shortSymbol ?? ''
  return [number, symbol.replaceAll(' ', '')] as const
})

describe('a space group symbol', () => {
  it.each(symbols)('of number %i has its screw axes and bars where %s has them', (number, symbol) => {
    const parts = spaceGroupParts(symbol.replaceAll('_', ''), number)
    expect(parts.map(({ text, kind }) => `${MARKS[kind]}${text}`).join('')).toBe(symbol)
  })
})

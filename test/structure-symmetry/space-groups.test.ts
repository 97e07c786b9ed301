import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { initSync, operations_from_number } from '@spglib/moyo-wasm'
import { describe, expect, it } from 'vitest'
import { parseCif } from '../../src/structure/formats/cif/cif.ts'
import type { Matrix3 } from '../../src/structure/linear-algebra.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { operatorsOfHallSymbol } from '../../src/structure/symmetry/hall-symbol.ts'
import { operatorKey, parseOperator, printOperator } from '../../src/structure/symmetry/operator.ts'
import {
  cachedOperators,
  keysOf,
  operatorsOfSetting,
  SPACE_GROUP_SETTINGS,
  settingsOfNumber,
  settingsOfSymbol,
} from '../../src/structure/symmetry/space-group-setting.ts'
import { hallSymbolsBesideTable, monoclinicHallSymbols } from '../../src/structure/symmetry/untabulated-setting.ts'

initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@spglib/moyo-wasm/moyo_wasm_bg.wasm'))) })

describe('space groups', () => {
  it('gives for all 530 settings the operators that an independent implementation gives', () => {
    for (const setting of SPACE_GROUP_SETTINGS) {
      const theirs = operations_from_number(setting.number, { type: 'HallNumber', value: setting.hallNumber }, false)
      const keys = theirs.map(({ rotation: r, translation }) => {
        const byColumns: Matrix3 = [
          [r[0], r[3], r[6]],
          [r[1], r[4], r[7]],
          [r[2], r[5], r[8]],
        ]
        return operatorKey({ rotation: byColumns, translation })
      })
      const ours = operatorsOfSetting(setting).map(operatorKey)
      expect(ours.sort(), `${setting.hallNumber} ${setting.hallSymbol}`).toEqual(keys.sort())
    }
  })

  it('writes every operator so that it reads it back', () => {
    for (const setting of SPACE_GROUP_SETTINGS) {
      for (const operator of operatorsOfSetting(setting)) {
        const read = parseOperator(printOperator(operator))
        expect(read && operatorKey(read)).toBe(operatorKey(operator))
      }
    }
  })

  it.each([
    ['x,y,z', '1,0,0,0,1,0,0,0,1;0,0,0'],
    [' -Y + 1/2 , X-Y, .25+z ', '0,-1,0,1,-1,0,0,0,1;72,0,36'],
    ['0.3333+x,y,-z+0.66667', '1,0,0,0,1,0,0,0,-1;48,0,96'],
    ['x-1/2,y+5/2,z', '1,0,0,0,1,0,0,0,1;72,72,0'],
  ])('reads the operator %s', (text, key) => {
    const operator = parseOperator(text)
    expect(operator && operatorKey(operator)).toBe(key)
  })

  it.each(['', 'x,y', 'x,y,z,x', 'x,y,zz2q', 'x y,z,x', 'a,b,c', 'x,,z', '1/0,y,z', 'x+,y,z'])(
    'does not take "%s" for an operator',
    (text) => {
      expect(parseOperator(text)).toBeUndefined()
    },
  )

  it.each([
    ['F m -3 m', [523]],
    ['Fm3m', [523]],
    ['F m 3 m', [523]],
    ['F 4/m -3 2/m', [523]],
    ['P 1 21/c 1', [81]],
    ['P2_1/c', [81, 89]],
    ['P 21/n', [82, 85, 88]],
    ['P 1 1 21/b', [86]],
    ['B 2/b', [99, 102]],
    ['F d -3 m', [525, 526]],
    ['F d -3 m :2', [526]],
    ['F d -3 m Z', [526]],
    ['F d -3 m S', [525]],
    ['R -3 m', [458, 459]],
    ['R -3 m :R', [459]],
    ['R -3 m H', [458]],
    ['R-3c (hex)', [460]],
    ['H 3 2', [444]],
    ['C m c a', [304]],
    ['C m c e', [304]],
    ['A b m 2', [191]],
    ['P 63/m m c', [488]],
    ['P6(3)/mmc', [488]],
    ['P b n m', [294]],
    ['I 41/a m d :1', [426]],
    ['R -3 m HR', [458]],
    ['R 3 c RS', [453]],
    ['F d -3 m O2', [526]],
    ['F d 3- m', [525, 526]],
    ['F 4 3 m', [512]],
    ['P 21/c (no. 14)', [81, 89]],
    ['P m -3 m S', [517]],
    ['P 21 21 21 :1', [115]],
    ['P 2sub1/c', [81, 89]],
    ['P2~1~/c', [81, 89]],
    ['P2<sub>1</sub>/c', [81, 89]],
    ['P 1 21/c 1 (C2h5)', [81]],
    ['P 1 21/c 1  C2h-5', [81]],
    ['P 1 21/c 1, C_{2h}^{5}', [81]],
    ['F m -3 m [Oh^5]', [523]],
    ['P -1 Ci1', [2]],
    ['P m -3 m Oh1', [517]],
    ['P 1 C1-1', [1]],
    ['P 1 c 1', [21]],
  ])('knows that %s is the setting %j', (symbol, hallNumbers) => {
    expect(settingsOfSymbol(symbol).map((setting) => setting.hallNumber)).toEqual(hallNumbers)
  })

  it.each(['', 'foo', 'P 7', 'F m -3 m :9', 'P 2 2', 'constructor', '__proto__', 'P'.repeat(5000)])(
    'does not know the symbol "%.20s"',
    (symbol) => {
      expect(settingsOfSymbol(symbol)).toEqual([])
    },
  )

  it('has monoclinic symbols that no table lists by the rule that makes those of the table', () => {
    const monoclinic = SPACE_GROUP_SETTINGS.filter(({ number }) => number >= 3 && number <= 15)
    for (const setting of monoclinic) {
      const made = monoclinicHallSymbols(setting.fullSymbol).map((hall) => keysOf(cachedOperators(hall) ?? []))
      expect(made, setting.fullSymbol).toEqual([keysOf(operatorsOfSetting(setting))])
    }
  })

  it.each([
    ['B 21/c', ['-B 2ybc']],
    ['B 1 21/a 1', ['-B 2yba']],
    ['B 1 21/m 1', ['-B 2yb']],
    ['F 2/d', ['-F 2yuw', '-F 2yuwww']],
    ['F 1 1 2/d', ['-F 2zuv', '-F 2zuvvv']],
    ['A 21/d 1 1', ['-A 2xavw', '-A 2xavwww']],
    ['F 1 2 1', ['F 2y']],
    ['F 1 d 1', ['F -2yuw', 'F -2yuwww']],
    ['C -1', ['-C 1']],
    ['I 1', ['I 1']],
    ['P 21/c', []],
    ['P 2/d', []],
    ['C 2/b', []],
    ['B 21/b', []],
    ['Q 2/c', []],
    ['P 3/c', []],
  ])('writes %s, where no table has it, as %j', (symbol, hallSymbols) => {
    expect(hallSymbolsBesideTable(symbol)).toEqual(hallSymbols)
  })

  it.each([
    ['B 21/c', 14],
    ['B 1 21/d 1', 14],
    ['F 2/d', 15],
    ['B 1 2/a 1', 13],
    ['B 1 21/m 1', 11],
    ['F 1 2 1', 5],
    ['B 1 c 1', 7],
  ])('makes crystals of %s in which an independent implementation finds the group %i', (symbol, number) => {
    const cell = { a: 10.6, b: 12.5, c: 14.6, alpha: 90, beta: 101, gamma: 90 }
    const lines = Object.entries(cell).map(
      ([name, value]) => `_cell_${name.length > 1 ? 'angle' : 'length'}_${name} ${value}`,
    )
    const atoms = ['Si Si .112 .311 .053', 'O1 O .337 .099 .228', 'O2 O .148 .472 .377']
    const tags = ['label', 'type_symbol', 'fract_x', 'fract_y', 'fract_z'].map((name) => `_atom_site_${name}`)
    const text = ['data_x', ...lines, `_space_group_name_H-M_alt '${symbol}'`, 'loop_', ...tags, ...atoms].join('\n')
    expect(findSymmetry(parseCif(text), 0.01)).toMatchObject({ number })
  })

  it('finds the settings of a number, or the one that a code names', () => {
    expect(settingsOfNumber(227).map((setting) => setting.choice)).toEqual(['1', '2'])
    expect(settingsOfNumber(227, '2').map((setting) => setting.hallNumber)).toEqual([526])
    expect(settingsOfNumber(231)).toEqual([])
  })

  it('follows a change of basis in a Hall symbol', () => {
    const byShift = operatorsOfHallSymbol('P 2 2 (0 0 3)')?.map(operatorKey).sort()
    expect(byShift).toEqual(
      ['x,y,z', '-x,-y,z', 'x,-y,-z+1/2', '-x,y,-z+1/2']
        .map((text) => operatorKey(parseOperator(text) as never))
        .sort(),
    )
    expect(operatorsOfHallSymbol('-P 2ybc (z,x,y)')).toHaveLength(4)
  })

  it.each(['', 'P', 'Q 2', 'P 5', 'P 2 (', 'P 2 (1 2)', 'P 2q', '-P 2 2 2 2 9'])(
    'does not take "%s" for a Hall symbol',
    (symbol) => {
      expect(operatorsOfHallSymbol(symbol)).toBeUndefined()
    },
  )
})

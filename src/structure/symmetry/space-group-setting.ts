import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { operatorsOfHallSymbol } from './hall-symbol.ts'
import { operatorKey, type SymmetryOperator } from './operator.ts'
import { SPACE_GROUP_ROWS } from './space-group-table.ts'

/** One of the 530 tabulated ways to choose axes and origin for a space group. */
export interface SpaceGroupSetting {
  /** 1 to 530. */
  readonly hallNumber: number
  /** 1 to 230. */
  readonly number: number
  /** `b1` for unique axis b, cell choice 1; `cab` for permuted axes; `1`, `2` for the origin; `H`, `R` for the axes. */
  readonly choice: string
  readonly hallSymbol: string
  /** Short Hermann-Mauguin symbol with spaces: `P 2_1/c`. */
  readonly shortSymbol: string
  readonly fullSymbol: string
  /** Name before `e` planes were introduced in 1992. */
  readonly oldSymbol: string | undefined
}

/** All settings, by Hall number minus one. */
export const SPACE_GROUP_SETTINGS: readonly SpaceGroupSetting[] = SPACE_GROUP_ROWS.trim()
  .split('\n')
  .map((row, index) => {
    const [number, choice = '', hallSymbol = '', shortSymbol = '', fullSymbol, oldSymbol] = row.split('|')
    return {
      hallNumber: index + 1,
      number: Number(number),
      choice,
      hallSymbol,
      shortSymbol,
      fullSymbol: fullSymbol === '' || fullSymbol === undefined ? shortSymbol : fullSymbol,
      oldSymbol: oldSymbol === '' ? undefined : oldSymbol,
    }
  })

const MOST_CACHED = 1000
const operatorCache = new BoundedCache<{ readonly operators: readonly SymmetryOperator[] | undefined }>({
  most: MOST_CACHED,
})
const LONGEST_SYMBOL = 100

/** The operators of a Hall symbol, computed once. */
export function cachedOperators(hallSymbol: string): readonly SymmetryOperator[] | undefined {
  if (hallSymbol.length > LONGEST_SYMBOL) return undefined
  const known = operatorCache.get(hallSymbol)
  if (known !== undefined) return known.operators
  const operators = operatorsOfHallSymbol(hallSymbol)
  operatorCache.set(hallSymbol, { operators })
  return operators
}

const keyCache = new WeakMap<readonly SymmetryOperator[], ReadonlySet<string>>()

/** The keys of operators, computed once for each list. */
export function keysOf(operators: readonly SymmetryOperator[]): ReadonlySet<string> {
  const keys = keyCache.get(operators) ?? new Set(operators.map(operatorKey))
  keyCache.set(operators, keys)
  return keys
}

/** The operators of a tabulated setting. */
export function operatorsOfSetting(setting: SpaceGroupSetting): readonly SymmetryOperator[] {
  const operators = cachedOperators(setting.hallSymbol)
  if (operators === undefined) throw new Error(`table holds a malformed Hall symbol: ${setting.hallSymbol}`)
  return operators
}

import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { readTable } from '../../kernel/project-files.ts'
import { type NamedSetting, namedSetting, SettingsBySymbol } from '../../page/space-group-symbols.ts'
import { operatorsOfHallSymbol } from './hall-symbol.ts'
import { operatorKey, type SymmetryOperator } from './operator.ts'

/** One of the 530 tabulated ways to choose axes and origin for a space group. */
export interface SpaceGroupSetting extends NamedSetting {
  /** 1 to 530. */
  readonly hallNumber: number
  readonly hallSymbol: string
}

/** All settings, by Hall number minus one. */
export const SPACE_GROUP_SETTINGS: readonly SpaceGroupSetting[] = readTable('structure/symmetry/space-groups.tsv').map(
  (row, index) => ({ ...namedSetting(row), hallNumber: index + 1, hallSymbol: row[2] ?? '' }),
)

const SYMBOLS = new SettingsBySymbol(SPACE_GROUP_SETTINGS)

/** Settings that a Hermann-Mauguin symbol may mean, likeliest first: short, full, old, new, with marks as in `R -3 m :H`, `F d -3 m Z`. */
export function settingsOfSymbol(symbol: string): readonly SpaceGroupSetting[] {
  return SYMBOLS.named(symbol)
}

/** The number of the space group, 1 to 230, that a number or a symbol in any spelling names; null when it is none. */
export function readSpaceGroup(text: string): number | null {
  return SYMBOLS.numberOf(text)
}

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

export function operatorsOfSetting(setting: SpaceGroupSetting): readonly SymmetryOperator[] {
  const operators = cachedOperators(setting.hallSymbol)
  if (operators === undefined) throw new Error(`table holds a malformed Hall symbol: ${setting.hallSymbol}`)
  return operators
}

/** The same rhombohedral group on the other axes, rhombohedral for hexagonal ones and the reverse. */
export function onOtherAxes({ number, choice }: SpaceGroupSetting): SpaceGroupSetting | undefined {
  const other = choice === 'H' ? 'R' : choice === 'R' ? 'H' : undefined
  if (other === undefined) return undefined
  return SPACE_GROUP_SETTINGS.find((setting) => setting.number === number && setting.choice === other)
}

/** The settings of a space group by its number, the standard one first; `choice` is the file's code for axes and origin. */
export function settingsOfNumber(number: number, choice = ''): readonly SpaceGroupSetting[] {
  const settings = SPACE_GROUP_SETTINGS.filter((setting) => setting.number === number)
  const named = settings.filter((setting) => setting.choice.toLowerCase() === choice.toLowerCase())
  return choice !== '' && named.length > 0 ? named : settings
}

/** The symbol of a space group as materials have it: short, in its standard setting, without spaces: `Fm-3m`, `P21/c`. */
export function spaceGroupSymbol(number: number): string {
  const setting = standard.get(number)
  if (setting === undefined) throw new Error(`there is no space group ${number}`)
  return setting.shortSymbol.replaceAll(/[ _]/g, '')
}

const standard = new Map<number, SpaceGroupSetting>()
for (const setting of SPACE_GROUP_SETTINGS) if (!standard.has(setting.number)) standard.set(setting.number, setting)

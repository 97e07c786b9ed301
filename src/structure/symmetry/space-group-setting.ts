import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { readTable } from '../../kernel/project-files.ts'
import { operatorsOfHallSymbol } from './hall-symbol.ts'
import { operatorKey, type SymmetryOperator } from './operator.ts'

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
export const SPACE_GROUP_SETTINGS: readonly SpaceGroupSetting[] = readTable('structure/symmetry/space-groups.tsv').map(
  ([number, choice = '', hallSymbol = '', shortSymbol = '', fullSymbol, oldSymbol], index) => {
    return {
      hallNumber: index + 1,
      number: Number(number),
      choice,
      hallSymbol,
      shortSymbol,
      fullSymbol: fullSymbol === '' || fullSymbol === undefined ? shortSymbol : fullSymbol,
      oldSymbol: oldSymbol === '' ? undefined : oldSymbol,
    }
  },
)

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

/** Choice of axes and origin that a file states beside the symbol. */
interface Qualifier {
  readonly axes?: 'H' | 'R'
  readonly origin?: '1' | '2'
  readonly choice?: string
}

/** A sentence beside the symbol, `R 3 c {rhombohedral axes}`: the cell tells better which axes are meant. */
const REMARK = /\s*[({][^(){}]*\b(?:axes|setting)\b[^(){}]*[)}]$/i
/** `P 21/c (no. 14)`. */
const NUMBER_BESIDE = /\s*\((?:no\.?\s*|#\s*)?\d{2,3}\)$/i
/** The symbol of Schoenflies, `P 21/c (C2h^5)`, which says the same again. */
const SCHOENFLIES_BESIDE =
  /(?:\s*[,;([]\s*|\s+)(?:[CDS]_?\{?[1-6][vhdi]?|C_?\{?[is]|[TO](?:_?\{?[hd]|(?=\^)))\}?(?:\^\{?|-)?\d{1,2}\}?[)\]]?$/
const settingsByKey = indexSettings()

/** Settings that a Hermann-Mauguin symbol may mean, likeliest first: short, full, old, new, with marks as in `R -3 m :H`, `F d -3 m Z`. */
export function settingsOfSymbol(symbol: string): readonly SpaceGroupSetting[] {
  if (symbol.length > LONGEST_SYMBOL) return []
  const text = symbol
    .trim()
    .replace(REMARK, '')
    .replace(NUMBER_BESIDE, '')
    .replace(SCHOENFLIES_BESIDE, '')
    .replace(/\s*\((?:origin|hex)[^)]*\)$/i, (mark) => (/hex/i.test(mark) ? ' :H' : ` :${/2/.test(mark) ? 2 : 1}`))
  const whole = settingsByKey.get(keyOf(text))
  if (whole !== undefined) return whole
  const [, plain = '', mark = ''] = /^(.*?)\s*(?::\s*(\S+))$|^$/.exec(text) ?? []
  const [, before = '', last = ''] = /^(.*?\S)\s*(HR|RS|H|R|S|Z|O1|O2|1|2)$/i.exec(text) ?? []
  for (const [name, qualifierText] of [
    [plain, mark],
    [before, last],
  ] as const) {
    const settings = name === '' ? undefined : settingsByKey.get(keyOf(name))
    const qualifier = readQualifier(qualifierText)
    if (settings === undefined || qualifier === undefined) continue
    const matching = settings.filter((setting) => suits(setting, qualifier))
    if (matching.length > 0) return matching
    // A group of one origin has no choice that a mark could settle.
    const isMark = qualifier.origin !== undefined && (name === plain || qualifierText !== '2')
    if (isMark && !settings.some(({ choice }) => /^[12]/.test(choice))) return settings
  }
  return hexagonalName(text)
}

/** `H -3 m` and `H 3 2` are rhombohedral groups on hexagonal axes in the Protein Data Bank. */
function hexagonalName(text: string): readonly SpaceGroupSetting[] {
  if (!/^H\s*-?3/i.test(text)) return []
  return (settingsByKey.get(keyOf(`R${text.slice(1)}`)) ?? []).filter((setting) => setting.choice === 'H')
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

function readQualifier(text: string): Qualifier | undefined {
  const mark = text.toUpperCase()
  if (mark === 'H' || mark === 'HR') return { axes: 'H' }
  if (mark === 'R') return { axes: 'R' }
  // The Inorganic Crystal Structure Database writes S for the first origin, Z for the second, RS for rhombohedral axes.
  if (mark === 'RS') return { axes: 'R' }
  if (mark === '1' || mark === 'S' || mark === 'O1') return { origin: '1' }
  if (mark === '2' || mark === 'Z' || mark === 'O2') return { origin: '2' }
  return text === '' ? undefined : { choice: text.toLowerCase() }
}

function suits(setting: SpaceGroupSetting, qualifier: Qualifier): boolean {
  if (qualifier.axes !== undefined) return setting.choice === qualifier.axes
  if (qualifier.origin !== undefined) return setting.choice.startsWith(qualifier.origin)
  return setting.choice.toLowerCase() === qualifier.choice
}

/** One spelling for all: no spaces, brackets or marks of subscripts (`P 2sub1/c`, `P2~1~/c`), small letters. */
export function keyOf(symbol: string): string {
  return symbol.replace(/<\/?sub>|sub(?=\d)|[\s_~(){}]/gi, '').toLowerCase()
}

function indexSettings(): ReadonlyMap<string, readonly SpaceGroupSetting[]> {
  const index = new Map<string, SpaceGroupSetting[]>()
  const put = (name: string, setting: SpaceGroupSetting): void => {
    const list = index.get(keyOf(name)) ?? []
    if (!list.includes(setting)) list.push(setting)
    index.set(keyOf(name), list)
  }
  for (const setting of byLikelihood(SPACE_GROUP_SETTINGS)) {
    for (const name of namesOf(setting)) put(name, setting)
  }
  return index
}

/** Unique axis b before c before a; otherwise the order of International Tables. */
function byLikelihood(settings: readonly SpaceGroupSetting[]): SpaceGroupSetting[] {
  const rank = (setting: SpaceGroupSetting): number => {
    if (setting.number < 3 || setting.number > 15) return 0
    return 'bca'.indexOf(setting.choice.replace('-', '').charAt(0))
  }
  return [...settings].sort((s, t) => s.number - t.number || rank(s) - rank(t) || s.hallNumber - t.hallNumber)
}

function namesOf(setting: SpaceGroupSetting): string[] {
  const names = [setting.fullSymbol]
  if (setting.oldSymbol !== undefined) names.push(setting.oldSymbol)
  if (setting.number >= 3 && setting.number <= 15) {
    // `P 1 2_1/n 1` is also `P 2_1/n`; the short symbol of the group, `P 2_1/c`, would name another cell.
    names.push(setting.fullSymbol.replace(/ 1(?= |$)/g, ''))
  } else {
    names.push(setting.shortSymbol)
  }
  // Symbols before 1983 had no bar over 3, `F m 3 m`, and typewriters none at all, `F 4 3 m`, or one behind its digit, `F d 3- m`.
  if (setting.number >= 195) names.push(...names.map((name) => name.replace(/ -(?=[34])/, ' ')))
  names.push(...names.map((name) => name.replace(/ -(\d)/, ' $1-')))
  return names
}

/** A bar over a digit: a combining character after it, or what stands before it for one. */
const BAR_AFTER = /([1-6])[\u0304\u0305]/g
const BAR_BEFORE = /[\u0304\u0305¯‾](?=[1-6])/g
/** `P2(1)/c` and TeX: `P2_{1}/c`, `Fm\bar{3}m`. */
const TEX_BAR = /\\(?:bar|overline)\s*\{?(\d)\}?/g

/** The number of the space group, 1 to 230, that a number or a symbol in any spelling names; null when it is none. */
export function readSpaceGroup(text: string): number | null {
  const plain = text
    .trim()
    .replaceAll(/\$|−|–/g, (character) => (character === '$' ? '' : '-'))
    .replaceAll(TEX_BAR, '-$1')
    .replaceAll(BAR_AFTER, '-$1')
    .replaceAll(BAR_BEFORE, '-')
    .replaceAll(/[₀-₉]/g, (digit) => String('₀₁₂₃₄₅₆₇₈₉'.indexOf(digit)))
  if (/^(?:no\.?\s*|#\s*)?\d{1,3}$/i.test(plain)) {
    const number = Number(/\d+/.exec(plain)?.[0])
    return number >= 1 && number <= 230 ? number : null
  }
  return settingsOfSymbol(plain)[0]?.number ?? null
}

/** The symbol of a space group as materials have it: short, in its standard setting, without spaces: `Fm-3m`, `P21/c`. */
export function spaceGroupSymbol(number: number): string {
  const setting = standard.get(number)
  if (setting === undefined) throw new Error(`there is no space group ${number}`)
  return setting.shortSymbol.replaceAll(/[ _]/g, '')
}

const standard = new Map<number, SpaceGroupSetting>()
for (const setting of SPACE_GROUP_SETTINGS) if (!standard.has(setting.number)) standard.set(setting.number, setting)

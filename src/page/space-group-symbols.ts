const LONGEST_SYMBOL = 100
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

/** A bar over a digit: a combining character after it, or what stands before it for one. */
const BAR_AFTER = /([1-6])[\u0304\u0305]/g
const BAR_BEFORE = /[\u0304\u0305¯‾](?=[1-6])/g
/** `P2(1)/c` and TeX: `P2_{1}/c`, `Fm\bar{3}m`. */
const TEX_BAR = /\\(?:bar|overline)\s*\{?(\d)\}?/g

/** How a setting of a space group is called. */
export interface NamedSetting {
  /** 1 to 230. */
  readonly number: number
  /** `b1` for unique axis b, cell choice 1; `cab` for permuted axes; `1`, `2` for the origin; `H`, `R` for the axes. */
  readonly choice: string
  /** Short Hermann-Mauguin symbol with spaces: `P 2_1/c`. */
  readonly shortSymbol: string
  readonly fullSymbol: string
  /** Name before `e` planes were introduced in 1992. */
  readonly oldSymbol: string | undefined
}

/** A row of the table of settings. */
export function namedSetting([
  number,
  choice = '',
  ,
  shortSymbol = '',
  fullSymbol = '',
  oldSymbol = '',
]: readonly string[]): NamedSetting {
  return {
    number: Number(number),
    choice,
    shortSymbol,
    fullSymbol: fullSymbol === '' ? shortSymbol : fullSymbol,
    oldSymbol: oldSymbol === '' ? undefined : oldSymbol,
  }
}

/** Settings by what they are called, all of one table. */
export class SettingsBySymbol<Setting extends NamedSetting> {
  readonly #byKey: ReadonlyMap<string, readonly Setting[]>

  constructor(settings: readonly Setting[]) {
    this.#byKey = indexOf(settings)
  }

  /** Settings that a Hermann-Mauguin symbol may mean, likeliest first: short, full, old, new, with marks as in `R -3 m :H`, `F d -3 m Z`. */
  named(symbol: string): readonly Setting[] {
    if (symbol.length > LONGEST_SYMBOL) return []
    const text = symbol
      .trim()
      .replace(REMARK, '')
      .replace(NUMBER_BESIDE, '')
      .replace(SCHOENFLIES_BESIDE, '')
      .replace(/\s*\((?:origin|hex)[^)]*\)$/i, (mark) => (/hex/i.test(mark) ? ' :H' : ` :${/2/.test(mark) ? 2 : 1}`))
    const whole = this.#byKey.get(keyOf(text))
    if (whole !== undefined) return whole
    const [, plain = '', mark = ''] = /^(.*?)\s*(?::\s*(\S+))$|^$/.exec(text) ?? []
    const [, before = '', last = ''] = /^(.*?\S)\s*(HR|RS|H|R|S|Z|O1|O2|1|2)$/i.exec(text) ?? []
    for (const [name, qualifierText] of [
      [plain, mark],
      [before, last],
    ] as const) {
      const settings = name === '' ? undefined : this.#byKey.get(keyOf(name))
      const qualifier = readQualifier(qualifierText)
      if (settings === undefined || qualifier === undefined) continue
      const matching = settings.filter((setting) => suits(setting, qualifier))
      if (matching.length > 0) return matching
      // A group of one origin has no choice that a mark could settle.
      const isMark = qualifier.origin !== undefined && (name === plain || qualifierText !== '2')
      if (isMark && !settings.some(({ choice }) => /^[12]/.test(choice))) return settings
    }
    return this.#hexagonalName(text)
  }

  /** The number of the space group, 1 to 230, that a number or a symbol in any spelling names; null when it is none. */
  numberOf(text: string): number | null {
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
    return this.named(plain)[0]?.number ?? null
  }

  /** `H -3 m` and `H 3 2` are rhombohedral groups on hexagonal axes in the Protein Data Bank. */
  #hexagonalName(text: string): readonly Setting[] {
    if (!/^H\s*-?3/i.test(text)) return []
    return (this.#byKey.get(keyOf(`R${text.slice(1)}`)) ?? []).filter((setting) => setting.choice === 'H')
  }
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

function suits(setting: NamedSetting, qualifier: Qualifier): boolean {
  if (qualifier.axes !== undefined) return setting.choice === qualifier.axes
  if (qualifier.origin !== undefined) return setting.choice.startsWith(qualifier.origin)
  return setting.choice.toLowerCase() === qualifier.choice
}

/** One spelling for all: no spaces, brackets or marks of subscripts (`P 2sub1/c`, `P2~1~/c`), small letters. */
export function keyOf(symbol: string): string {
  return symbol.replace(/<\/?sub>|sub(?=\d)|[\s_~(){}]/gi, '').toLowerCase()
}

function indexOf<Setting extends NamedSetting>(settings: readonly Setting[]): ReadonlyMap<string, readonly Setting[]> {
  const index = new Map<string, Setting[]>()
  const put = (name: string, setting: Setting): void => {
    const list = index.get(keyOf(name)) ?? []
    if (!list.includes(setting)) list.push(setting)
    index.set(keyOf(name), list)
  }
  for (const setting of byLikelihood(settings)) {
    for (const name of namesOf(setting)) put(name, setting)
  }
  return index
}

/** Unique axis b before c before a; otherwise the order of International Tables. */
function byLikelihood<Setting extends NamedSetting>(settings: readonly Setting[]): Setting[] {
  const rank = (setting: Setting): number => {
    if (setting.number < 3 || setting.number > 15) return 0
    return 'bca'.indexOf(setting.choice.replace('-', '').charAt(0))
  }
  return [...settings].sort((s, t) => s.number - t.number || rank(s) - rank(t))
}

function namesOf(setting: NamedSetting): string[] {
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

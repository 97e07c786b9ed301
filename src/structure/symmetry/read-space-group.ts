import { settingsOfSymbol } from './find-setting.ts'
import { SPACE_GROUP_SETTINGS, type SpaceGroupSetting } from './space-group-setting.ts'

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

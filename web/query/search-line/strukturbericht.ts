/** The highest numbers of the first reports. */
const LAST: Readonly<Record<string, number>> = { A: 20, B: 37, C: 54 }
/** `D0_3`, `L1_2`, `C11_b`, `A_h`. */
const WITH_SUBSCRIPT = /^(?:[A-H]\d{0,2}|[KLS]\d{1,2})_\{?(\d{1,2}|[a-l])\}?$/
/** Without its sign, where it can be nothing else. */
const WITHOUT_SIGN = /^([DEL]\d)(\d{1,2}|[a-i])$|^(C1|C11|C15)(b)$|^(B8)([12])$|^(H1)(1)$/

/** Reads a symbol of the Strukturbericht, `B1`, `L1_2`, `L12`, as records have it; null for none. */
export function readStrukturbericht(text: string): string | null {
  const [, letter = '', number = ''] = /^([ABC])(\d{1,2})$/.exec(text) ?? []
  const last = LAST[letter] ?? 0
  if (last > 0 && !number.startsWith('0') && Number(number) >= 1 && Number(number) <= last) return text
  if (WITH_SUBSCRIPT.test(text)) return text.replaceAll(/[{}]/g, '')
  const [, ...parts] = WITHOUT_SIGN.exec(text) ?? []
  const [name, index] = parts.filter((part) => part !== undefined)
  return name === undefined || index === undefined ? null : `${name}_${index}`
}

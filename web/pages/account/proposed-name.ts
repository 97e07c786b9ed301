/** Letters of Latin that are no letter with a mark, as names write them. */
const SPELT: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }
const LONGEST = 64

/** A name for an account, by the rules for names, from what people call it; empty where its title has no letters for one. */
export function proposedName(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const spelt = [...plain].map((letter) => SPELT[letter] ?? letter).join('')
  const words = spelt.split(/[^a-z0-9]+/).filter((word) => word !== '')
  const name = words.join('-').slice(0, LONGEST).replace(/-$/, '')
  return name.length < 2 ? '' : name
}

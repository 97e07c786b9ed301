const LAST_CHARACTER = 0x10ffff
const BEFORE_SURROGATES = 0xd7ff
const AFTER_SURROGATES = 0xe000

/** The least text above all that begin with `prefix`; null when there is none. */
export function afterPrefix(prefix: string): string | null {
  const codes = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (codes.at(-1) === LAST_CHARACTER) codes.pop()
  const last = codes.pop()
  if (last === undefined) return null
  codes.push(last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1)
  return codes.map((code) => String.fromCodePoint(code)).join('')
}

import { cutLeafString, LEAF_STRING_LIMIT } from './leaves.ts'

/**
 * A text of at most this many bytes is shorter than any text that the index has cut, since a cut falls at most three bytes
 * before the limit: comparing with it gives the same answer before and after the cut.
 */
const SAFE_BYTES = LEAF_STRING_LIMIT - 4

/** Tells whether the index answers comparisons with a text faithfully. */
export function isSafeText(text: string): boolean {
  return Buffer.byteLength(text) <= SAFE_BYTES
}

/** Cuts a text so far that comparisons with it are faithful. */
export function safeStart(text: string): string {
  const characters = [...cutLeafString(text)]
  while (Buffer.byteLength(characters.join('')) > SAFE_BYTES) characters.pop()
  return characters.join('')
}

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

/** Half a surrogate pair has no UTF-8 form, and so no place in the index. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

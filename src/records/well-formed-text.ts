// With the flag u a surrogate matches only when it has no partner.
const UNPAIRED = /\p{Cs}/u
const ALL_UNPAIRED = /\p{Cs}/gu

/** Tells whether a text has no unpaired surrogates, so that it can be written as UTF-8. */
export function isWellFormed(text: string): boolean {
  return !UNPAIRED.test(text)
}

/** The text with U+FFFD in place of unpaired surrogates. */
export function wellFormed(text: string): string {
  return text.replace(ALL_UNPAIRED, '\uFFFD')
}

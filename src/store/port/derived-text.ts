/**
 * A stored text may end with fields that are derived from other records: queries see them, and clients who ask for them. Tabs, which no other part of a text
 * has as it is written, tell where they are: `{"_id":…\t,"properties":{…}\t}`.
 */
const TAB = 9
const CLOSE = 0x7d
const MARK = '\t'
const END = Buffer.from('}')

/** Puts derived fields, as the text of an object, behind those of a record; an empty text for none. */
export function withDerived(text: string, derived: string): string {
  return derived === '' ? text : `${text.slice(0, -1)}${MARK},${derived.slice(1, -1)}${MARK}}`
}

/** A stored text without the derived fields. */
export function ownText(stored: string): string {
  return hasDerived(stored) ? `${stored.slice(0, beginningIn(stored))}}` : stored
}

/** The derived fields of a stored text as the text of an object; an empty text for none. */
export function derivedOf(stored: string): string {
  return hasDerived(stored) ? `{${stored.slice(beginningIn(stored) + 2, -2)}}` : ''
}

/** A stored text in the two parts that a stored record has. */
export function textsOf(stored: string): { readonly text: string; readonly derived?: string } {
  return hasDerived(stored) ? { text: ownText(stored), derived: derivedOf(stored) } : { text: stored }
}

/** The mark before the derived fields is the last but one. */
function beginningIn(stored: string): number {
  return stored.lastIndexOf(MARK, stored.length - 3)
}

function hasDerived(stored: string): boolean {
  return stored.endsWith(`${MARK}}`)
}

/** The bytes of a stored text up to its derived fields, and what closes it then; null where it has none. */
export function ownBytes(stored: Buffer): readonly [open: Buffer, end: Buffer] | null {
  const { length } = stored
  if (stored[length - 1] !== CLOSE || stored[length - 2] !== TAB) return null
  return [stored.subarray(0, stored.lastIndexOf(TAB, length - 3)), END]
}

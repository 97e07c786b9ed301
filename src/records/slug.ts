import { wellFormed } from './well-formed-text.ts'

/** Longest slug, so that it fits an address. */
const LONGEST_SLUG = 128

/** Turns a name into the part of an address: "Silicon FCC" becomes `silicon-fcc`. Letters of every script are kept. */
export function slugOf(name: string): string {
  const letters = wellFormed(name.slice(0, LONGEST_SLUG * 4))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
  const joined = letters.replace(/[^\p{L}\p{N}]+/gu, '-')
  return [...joined].slice(0, LONGEST_SLUG).join('').replace(/^-|-$/g, '')
}

import { randomBytes } from 'node:crypto'

/**
 * The one form in which names and e-mail addresses are compared, wherever that is done: without regard to case, to how accents are
 * composed, to width and other variants that look different and are the same letters (NFKC), or to space around. Names that
 * an account would be found by must count as one, or whoever guesses has as many tries as a name has spellings.
 */
export function nameKey(name: string): string {
  // Lower case can undo the composition: J with a caron has no letter of its own, j with a caron has.
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
}

/** Finds the name that was probably meant, for "Did you mean …?"; null when nothing is near enough to be worth saying. */
export function nearestName(given: string, known: Iterable<string>): string | null {
  // A long text is not a slip of the keyboard, and comparing it would cost its length times every name's.
  if (given.length > 64) return null
  let nearest: string | null = null
  let least = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const name of known) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase(), least)
    if (distance < least) {
      least = distance
      nearest = name
    }
  }
  return nearest
}

/** Ranks names by how alike they are to a given one, the most alike first: what contains the other, then by what differs. */
export function nearestNames(given: string, known: Iterable<string>, most: number): readonly string[] {
  const wanted = given.slice(0, 64).toLowerCase()
  const distance = (name: string): number => {
    const one = name.toLowerCase()
    const isWithin = one !== '' && wanted !== '' && (one.includes(wanted) || wanted.includes(one))
    return isWithin ? 0 : editDistance(wanted, one, Number.POSITIVE_INFINITY) / Math.max(wanted.length, one.length)
  }
  const ranked = [...known].map((name) => ({ name, distance: distance(name) }))
  return ranked
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Counts insertions, deletions, replacements and swaps of neighbours; stops early once there are `enough`. */
function editDistance(a: string, b: string, enough: number): number {
  if (Math.abs(a.length - b.length) >= enough) return enough
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) best = Math.min(best, at(beforeLast, j - 2) + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

/** Letters and digits that are hard to mistake for each other: no 0, 1, I, O, U, V, l. */
export const ID_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTWXYZabcdefghijkmnopqrstuvwxyz'
export const ID_LENGTH = 17

/** A source of random bytes; injected so that tests can repeat a run. */
export type RandomSource = (size: number) => Uint8Array

export const systemRandom: RandomSource = (size) => randomBytes(size)

/** Makes an id of 17 characters, each equally likely: bytes at or above the largest multiple of 55 are thrown away. */
export function newId(random: RandomSource = systemRandom): string {
  const unbiased = 256 - (256 % ID_ALPHABET.length)
  let id = ''
  while (id.length < ID_LENGTH) {
    for (const byte of random(ID_LENGTH * 2)) {
      if (byte < unbiased && id.length < ID_LENGTH) id += ID_ALPHABET[byte % ID_ALPHABET.length]
    }
  }
  return id
}

const ID_PATTERN = new RegExp(`^[${ID_ALPHABET}]{${ID_LENGTH}}$`)

export function isId(text: string): boolean {
  return ID_PATTERN.test(text)
}

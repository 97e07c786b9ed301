import { nearestName } from '../../kernel/names.ts'
import { API_PREFIX } from '../address.ts'

/** How far two parts of an address are from each other: the same, some of its words in any order, or a slip of the keyboard. */
const SAME = 0
const WORDS = 1
const SLIP = 2

/** An address that there is, as its parts; those that stand for any text begin with a colon. */
export type AddressPattern = readonly string[]

/**
 * Finds the address that was probably meant: part by part, so that a long common beginning makes nothing alike. `bank` and
 * `materials-bank` mean `bank-materials`; what lacks the prefix of the API is given it. Null when nothing is near.
 */
export function nearestAddress(path: string, patterns: readonly AddressPattern[]): string | null {
  const prefix = API_PREFIX.split('/').slice(1)
  const given = path.split('/').filter((part) => part !== '')
  const bare = prefix.every((part, index) => given[index] === part) ? given.slice(prefix.length) : given
  const readings = [given, [...prefix, ...bare], [...prefix, bare.join('-')]]
  let nearest: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const reading of readings) {
    for (const pattern of patterns) {
      const distance = distanceOf(reading, pattern)
      if (distance >= least) continue
      least = distance
      nearest = `/${pattern.map((part, index) => (part.startsWith(':') ? reading[index] : part)).join('/')}`
    }
  }
  return nearest
}

function distanceOf(given: readonly string[], pattern: AddressPattern): number {
  if (given.length !== pattern.length) return Number.POSITIVE_INFINITY
  return given.reduce((sum, part, index) => sum + partDistance(part, pattern[index] ?? ''), 0)
}

function partDistance(given: string, known: string): number {
  if (known.startsWith(':') || given === known) return SAME
  const words = known.split('-')
  if (given.split(/[-_]/).every((word) => words.includes(word))) return WORDS
  return nearestName(given, [known]) === null ? Number.POSITIVE_INFINITY : SLIP
}

import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import { ANGSTROM_PER_BOHR } from '../../lattice.ts'
import { shorten } from './text.ts'

/** Lengths in Å of units by the names that programs have for them, in small letters. */
const ANGSTROM_PER = {
  ang: 1,
  angs: 1,
  angstrom: 1,
  ase: 1,
  a0: ANGSTROM_PER_BOHR,
  atomic_unit: ANGSTROM_PER_BOHR,
  au: ANGSTROM_PER_BOHR,
  bohr: ANGSTROM_PER_BOHR,
  internal_cp2k: ANGSTROM_PER_BOHR,
  pm: 0.01,
  nm: 10,
  nanometer: 10,
  cm: 1e8,
  m: 1e10,
} as const

/** The name of a unit of length. */
export type LengthName = keyof typeof ANGSTROM_PER

/** Å in the unit that a word names, in any letter case; refuses what is none of those that the program of the file knows. */
export function angstromPer(word: string, known: readonly LengthName[], place: SourcePlace): number {
  const name = known.find((one) => one === word.toLowerCase())
  if (name !== undefined) return ANGSTROM_PER[name]
  const hint = `Use one of ${known.join(', ')}.`
  throw refusal(FORMAT_ERRORS.malformed, `"${shorten(word)}" is no unit of length.`, { hint, ...place })
}

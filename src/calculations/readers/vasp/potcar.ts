import { isElementSymbol } from '../../../structure/elements/element.ts'
import type { Potential } from '../../calculation.ts'
import { readPieces } from '../../output-lines.ts'

/** Element of a potential, of its title: `Li` of `PAW_PBE Li_sv 23Jan2001`; nothing where it names none. */
export function elementOfTitle(title: string): string | undefined {
  const name = /^\S+\s+([A-Z][a-z]?)(?![A-Za-z])/.exec(title.trim())?.[1]
  return name !== undefined && isElementSymbol(name) ? name : undefined
}

/** Subtype of the method that a potential belongs to, of its title: `PAW_PBE …` is `paw`, `US …` is `ultra-soft`; null for other. */
export function subtypeOfTitle(title: string): string | null {
  const kind = (/^[A-Za-z]+/.exec(title.trim())?.[0] ?? '').toUpperCase()
  if (kind === 'PAW') return 'paw'
  if (kind === 'US') return 'ultra-soft'
  return kind === 'NC' ? 'norm-conserving' : null
}

const TITLE = /^\s*TITEL\s*=\s*(\S.*)$/
const MOST_POTENTIALS = 1000
const LONGEST_TITLE = 200

/** Potentials of a POTCAR, by their titles. Its contents belong to those who licence them: nothing else of it is kept. */
export function readPotcar(pieces: Iterable<string>): readonly Potential[] {
  const potentials: Potential[] = []
  readPieces(pieces, (line) => {
    const title =
      potentials.length < MOST_POTENTIALS ? TITLE.exec(line.slice(0, LONGEST_TITLE))?.[1]?.trim() : undefined
    if (title !== undefined) potentials.push({ element: elementOfTitle(title) ?? '', title })
  })
  return potentials
}

/** Names of the potentials that an energy was computed with, by element; of elements that are not there it is not known. */
export type Potentials = Readonly<Record<string, string>>

/** First words of titles of VASP, which entries of databases have in their own way, and leave the date out: `PAW_PBE Mn_pv 02Aug2007`, `PBE Mn_pv`. */
const OF_VASP = /^(?:PAW|US|(?:PAW_)?(?:PBE|GGA|LDA|PW91)(?:_\d+)?)\s+(\S+)/i

/** The symbol in the title of a potential of VASP; the title of any other. */
export function symbolOf(title: string): string {
  return OF_VASP.exec(title.trim())?.[1] ?? title
}

/** Finds the potential of each element that most of some energies were computed with; of as many the first by name. */
export function commonPotentials(all: readonly Potentials[]): Potentials {
  const counts = new Map<string, Map<string, number>>()
  for (const [element, title] of all.flatMap(Object.entries<string>)) {
    const potential = symbolOf(title)
    const ofElement = counts.get(element) ?? new Map<string, number>()
    counts.set(element, ofElement.set(potential, (ofElement.get(potential) ?? 0) + 1))
  }
  return Object.fromEntries(
    [...counts].map(([element, ofElement]) => {
      const [most] = [...ofElement].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      return [element, most?.[0] ?? '']
    }),
  )
}

/** Says which potential is another one than that of most energies, which have another zero then; null where none is. */
export function otherPotential(potentials: Potentials, common: Potentials): string | null {
  const others = Object.entries(potentials)
    .map(([element, title]) => [element, symbolOf(title)] as const)
    .filter(([element, one]) => (common[element] ?? one) !== one)
  if (others.length === 0) return null
  return others.map(([element, one]) => `${one} for ${element}, where most have ${common[element]}`).join('; ')
}

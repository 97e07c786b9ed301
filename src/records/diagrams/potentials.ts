/** Names of the potentials that an energy was computed with, by element; of elements that are not there it is not known. */
export type Potentials = Readonly<Record<string, string>>

/** Finds the potential of each element that most of some energies were computed with; of as many the first by name. */
export function commonPotentials(all: readonly Potentials[]): Potentials {
  const counts = new Map<string, Map<string, number>>()
  for (const [element, potential] of all.flatMap(Object.entries<string>)) {
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
  const others = Object.entries(potentials).filter(([element, one]) => (common[element] ?? one) !== one)
  if (others.length === 0) return null
  return others.map(([element, one]) => `${one} for ${element}, where most have ${common[element]}`).join('; ')
}

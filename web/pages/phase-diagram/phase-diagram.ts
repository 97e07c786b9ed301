/** A phase diagram as the server makes it; energies are in eV/atom where nothing else is said. */
export interface PhaseDiagram {
  /** In alphabetical order. */
  readonly elements: readonly string[]
  /** Several where a correction makes them comparable. */
  readonly group: string | readonly string[]
  /** All groups of energies that there are, the most frequent first. */
  readonly groups: readonly EnergyGroup[]
  readonly correction: string | null
  readonly tolerance: number
  readonly references: readonly ElementReference[]
  /** The most stable first. */
  readonly entries: readonly PhaseEntry[]
  /** Ids of entries that are in equilibrium with each other; null where there are too many sets of them. */
  readonly facets: readonly (readonly string[])[] | null
  readonly leftOut: readonly LeftOutMaterials[]
  readonly exact: boolean
}

export interface EnergyGroup {
  /** Empty for energies of no group. */
  readonly group: string
  readonly count: number
}

/** The lowest entry of an element alone. */
export interface ElementReference {
  readonly element: string
  readonly _id?: string
  readonly energyPerAtom?: number
}

/** A material with its energy. */
export interface PhaseEntry {
  readonly _id: string
  readonly name: string
  readonly formula: string
  readonly composition: Readonly<Record<string, number>>
  /** In eV, of the composition. */
  readonly energy: number
  readonly group?: string
  readonly formationEnergy: number
  readonly energyAboveHull: number
  readonly isStable: boolean
  readonly decomposition: readonly PhasePart[]
  readonly propertyId: string
  readonly jobId: string | null
}

/** A product of a decomposition, with its share of the atoms. */
export interface PhasePart {
  readonly _id: string
  readonly formula: string
  readonly fraction: number
}

/** Materials that are no entries, for one reason. */
export interface LeftOutMaterials {
  readonly reason: string
  readonly count: number
  /** The first of them. */
  readonly materials: readonly { readonly _id: string; readonly formula: string; readonly why?: string }[]
}

/** Shares of the elements in an entry, which are 1 together. */
export function sharesOf({ composition }: PhaseEntry, elements: readonly string[]): readonly number[] {
  const counts = elements.map((element) => composition[element] ?? 0)
  const all = counts.reduce((sum, count) => sum + count, 0) || 1
  return counts.map((count) => count / all)
}

/** A place in a diagram, where the lowest entry of a composition stands for all of it. */
export interface PhasePoint {
  readonly entry: PhaseEntry
  readonly shares: readonly number[]
  /** How many other entries have the same composition. */
  readonly others: number
}

/** Points of all entries, or one for each composition. */
export function pointsOf(
  entries: readonly PhaseEntry[],
  elements: readonly string[],
  isOneOfEach: boolean,
): readonly PhasePoint[] {
  const points = new Map<string, PhasePoint>()
  for (const entry of entries) {
    const shares = sharesOf(entry, elements)
    const key = isOneOfEach ? shares.map((share) => share.toFixed(9)).join() : entry._id
    const known = points.get(key)
    if (known === undefined) points.set(key, { entry, shares, others: 0 })
    else {
      const lower = entry.energyAboveHull < known.entry.energyAboveHull ? entry : known.entry
      points.set(key, { entry: lower, shares, others: known.others + 1 })
    }
  }
  return [...points.values()]
}

/** Pairs of entries that are in equilibrium with each other, each once, as the shares of their elements. */
export function tieLinesOf({ facets, entries, elements }: PhaseDiagram): readonly (readonly [Shares, Shares])[] {
  const sharesById = new Map(entries.map((entry) => [entry._id, sharesOf(entry, elements)]))
  const lines = new Map<string, readonly [Shares, Shares]>()
  for (const facet of facets ?? []) {
    for (const [at, id] of facet.entries()) {
      for (const other of facet.slice(at + 1)) {
        const ends = [sharesById.get(id), sharesById.get(other)] as const
        if (ends[0] !== undefined && ends[1] !== undefined) lines.set([id, other].sort().join(), [ends[0], ends[1]])
      }
    }
  }
  return [...lines.values()]
}

/** Shares of the elements at a place of a diagram. */
export type Shares = readonly number[]

import type { EnergyEntry } from './energy-entries.ts'

/** Why a material is in no phase diagram. */
export type LeftOutReason = 'noEnergy' | 'otherGroup' | 'otherPotential' | 'disordered' | 'notCorrected' | 'sameId'

/** Materials that are left out for one reason. */
export interface LeftOutGroup {
  readonly reason: LeftOutReason
  readonly count: number
  /** The first of them. */
  readonly materials: readonly LeftOutMaterial[]
}

/** A material that is left out. */
export interface LeftOutMaterial {
  readonly _id: string
  readonly formula: string
  /** What there is to say of this one. */
  readonly why?: string
}

/** Materials that are named of each reason. */
export const MOST_NAMED = 50

type NamedEntry = Pick<EnergyEntry, 'id' | 'formula' | 'chemicalSystem'>

/** Gathers materials that are left out. */
export class LeftOut {
  readonly #groups = new Map<LeftOutReason, { count: number; materials: LeftOutMaterial[] }>()
  readonly #uncorrected = new Map<string, string>()

  add(reason: LeftOutReason, { id, formula, chemicalSystem }: NamedEntry, why?: string): void {
    if (reason === 'notCorrected' && why !== undefined && !this.#uncorrected.has(chemicalSystem)) {
      this.#uncorrected.set(chemicalSystem, why)
    }
    const group = this.#groups.get(reason) ?? { count: 0, materials: [] }
    group.count += 1
    if (group.materials.length < MOST_NAMED) {
      group.materials.push({ _id: id, formula, ...(why === undefined ? {} : { why }) })
    }
    this.#groups.set(reason, group)
  }

  /** Adds those that were only counted, of which some are named. */
  addCounted(reason: LeftOutReason, count: number, materials: readonly LeftOutMaterial[]): void {
    if (count > 0) this.#groups.set(reason, { count, materials: materials.slice(0, MOST_NAMED) })
  }

  firstOf(reason: LeftOutReason): LeftOutMaterial | undefined {
    return this.#groups.get(reason)?.materials[0]
  }

  get groups(): readonly LeftOutGroup[] {
    return [...this.#groups].map(([reason, group]) => ({ reason, ...group }))
  }

  /** Reason why no energy of an element alone, of which there are some, can be corrected: that of the first. */
  whyUncorrected(element: string): string | undefined {
    return this.#uncorrected.get(element)
  }
}

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

/** Gathers materials that are left out. */
export class LeftOut {
  readonly #groups = new Map<LeftOutReason, { count: number; materials: LeftOutMaterial[] }>()

  add(reason: LeftOutReason, { id, formula }: Pick<EnergyEntry, 'id' | 'formula'>, why?: string): void {
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

  get groups(): readonly LeftOutGroup[] {
    return [...this.#groups].map(([reason, group]) => ({ reason, ...group }))
  }

  firstOf(reason: LeftOutReason): LeftOutMaterial | undefined {
    return this.#groups.get(reason)?.materials[0]
  }
}

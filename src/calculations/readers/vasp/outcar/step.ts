import type { Vector3 } from '../../../../structure/linear-algebra.ts'
import type { Bands } from '../bands.ts'
import { type Energies, totalEnergyOf } from '../energies.ts'

/** What one ionic step of an OUTCAR says, as it is read; energies in eV, forces in eV/Å, stress in kbar. */
export class OutcarStep {
  /** Free energies of the electronic steps. */
  readonly electronic: number[] = []
  /** Terms of the last electronic step. */
  terms: Energies = new Map()
  /** Energies at the end of the step, by the names of vasprun.xml; without any, the step has no end. */
  energies: Energies = new Map()
  /** Correction for dispersion, in eV. */
  dispersion: number | null = null
  areElectronsConverged = false
  stress: readonly Vector3[] | null = null
  pressure: number | null = null
  /** In Å, as rows. */
  vectors: readonly Vector3[] | null = null
  /** Cartesian, in Å, with five decimals. */
  places: readonly Vector3[] | null = null
  forces: readonly Vector3[] | null = null
  fermi: number | null = null
  bands: Bands | null = null
  /** Moments of the spheres around the atoms, in Bohr magnetons: one component, or three in the frame of SAXIS. */
  readonly moments = new Map<'x' | 'y' | 'z', readonly number[]>()
  /** Moment of the cell, in Bohr magnetons, in one component or three. */
  magnetization: readonly number[] = []

  /** In eV. */
  get energy(): number | null {
    return totalEnergyOf(this.energies, undefined)
  }

  get isWhole(): boolean {
    return this.energies.size > 0
  }
}

import { EV_PER_HARTREE } from '../../../page/units.ts'
import { tidy } from '../../../structure/cell.ts'
import type { Matrix3, Vector3 } from '../../../structure/linear-algebra.ts'
import { dot } from '../../../structure/linear-algebra.ts'
import type { OutputLimits } from '../../calculation.ts'
import { levelsUpTo, type PwBands, type SpinEnergies } from './bands.ts'
import { vectorIn } from './xml-atoms.ts'
import { numbersIn, type XmlElement } from './xml-tree.ts'

/** A k-point with all its levels, of spin up before those of spin down. */
interface BandPoint {
  /** Cartesian, in units of 2π/alat. */
  readonly place: Vector3
  /** In eV. */
  readonly energies: readonly number[]
  readonly occupations: readonly number[]
}

/** By what levels are known to be occupied: an energy for each spin in eV, or the occupations that the file gives. */
export type Filling = readonly number[] | 'given'

/** Energies of electrons, k-point after k-point: elements `ks_energies`. */
export class XmlBands {
  /** Number of k-points, and of levels at the last of them. */
  count = 0
  levels = 0
  /** Whether one of them is missing or has no numbers. */
  isBroken = false
  readonly #most: number
  #points: BandPoint[] = []
  #numbers = 0

  constructor({ numbers }: OutputLimits) {
    this.#most = numbers
  }

  take(element: XmlElement): true {
    const place = vectorIn(element.takeText('k_point'))
    const energies = numbersIn(element.takeText('eigenvalues') ?? '')
    const occupations = numbersIn(element.takeText('occupations') ?? '') ?? []
    this.count += 1
    this.levels = energies?.length ?? 0
    this.#numbers += this.levels + occupations.length
    if (place === null || energies === null || energies.length === 0) this.isBroken = true
    else if (this.#numbers > this.#most) this.#points = []
    else this.#points.push({ place, energies: energies.map((energy) => energy * EV_PER_HARTREE), occupations })
    return true
  }

  /** All of it; nothing where it is too much, or not whole. Vectors are those of the lattice, in units of alat; `up` is the number of bands of spin up where both spins have their own. */
  bands(vectors: Matrix3, up: number | null, filling: Filling): PwBands | null {
    if (this.isBroken || this.#points.length !== this.count || this.count === 0) return null
    const ranges =
      up === null
        ? [[0, this.levels] as const]
        : ([
            [0, up],
            [up, this.levels],
          ] as const)
    const kpoints = this.#points.map(({ place }): Vector3 => {
      const [a, b, c] = vectors
      return [tidy(dot(a, place)), tidy(dot(b, place)), tidy(dot(c, place))]
    })
    return {
      kpoints,
      spins: ranges.map((range, spin) =>
        this.#ofSpin(range, filling === 'given' ? null : (filling[spin] ?? filling[0] ?? null)),
      ),
    }
  }

  #ofSpin([from, to]: readonly [number, number], level: number | null): SpinEnergies {
    const energies = this.#points.map((point) => point.energies.slice(from, to))
    const occupied = this.#points.map(({ occupations }, k) =>
      level === null
        ? occupations.slice(from, to).filter((occupation) => occupation > HALF).length
        : levelsUpTo(energies[k] ?? [], level),
    )
    return { energies, occupied }
  }
}

/** Share of a level from which on it counts as occupied where no Fermi energy tells. */
const HALF = 0.5

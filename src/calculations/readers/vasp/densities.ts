import type { Json } from '../../../kernel/json.ts'
import type { Result } from '../../calculation.ts'
import { SPINS } from './band-edges.ts'

/** Density of states of a sum: an orbital of an element, of one spin. */
interface DensitySum {
  readonly element: string
  readonly state: string
  readonly spin: number
  readonly values: number[]
}

/** Densities of states as they are read: the total, and sums over the atoms of an element. Energies in eV, as the output has them, from no other zero. */
export class Densities {
  readonly #energies: number[] = []
  readonly #totals: number[][] = []
  readonly #sums = new Map<string, DensitySum>()
  readonly #most: number
  #numbers = 0
  #hasGap = false

  /** Takes how many numbers are kept. */
  constructor(most: number) {
    this.#most = most
  }

  /** Number of spins of the total. */
  get spins(): number {
    return this.#totals.length
  }

  /** Names of what was read and is not in the curves. */
  get leftOut(): readonly string[] {
    const all = [this.#isTotalWhole() ? '' : 'total', this.#areSumsWhole() ? '' : 'partial']
    return all.filter((name) => name !== '')
  }

  /** Takes in that a number could not be read. */
  skip(): void {
    this.#hasGap = true
  }

  /** Takes the total at an energy. */
  addTotal(spin: number, energy: number, density: number): void {
    const total = this.#totals[spin] ?? []
    if (total.length === 0) this.#totals[spin] = total
    if (!this.#hasRoom(spin === 0 ? 2 : 1)) return
    if (spin === 0) this.#energies.push(energy)
    total.push(density)
  }

  /** Adds what an atom has in a state at an energy, by its number. */
  addPartial(
    of: { readonly element: string; readonly state: string; readonly spin: number },
    row: number,
    density: number,
  ): void {
    const key = `${of.element} ${of.state} ${of.spin}`
    const sum = this.#sums.get(key) ?? { ...of, values: [] }
    if (sum.values.length === 0) this.#sums.set(key, sum)
    const known = sum.values[row]
    if (known !== undefined) sum.values[row] = known + density
    else if (row === sum.values.length && this.#hasRoom(1)) sum.values.push(density)
    else this.#hasGap ||= row !== sum.values.length
  }

  #hasRoom(numbers: number): boolean {
    this.#numbers += numbers
    return this.#numbers <= this.#most
  }

  #isTotalWhole(): boolean {
    const length = this.#energies.length
    return !this.#hasGap && this.#numbers <= this.#most && this.#totals.every((values) => values.length === length)
  }

  #areSumsWhole(): boolean {
    const length = this.#energies.length
    return this.#isTotalWhole() && [...this.#sums.values()].every(({ values }) => values.length === length)
  }

  /** Curves; null where there are none, or not all of the total. Sums are given where all of them are whole. */
  result(): Result | null {
    if (this.#energies.length === 0 || !this.#isTotalWhole()) return null
    const sums = this.#areSumsWhole() ? [...this.#sums.values()] : []
    const isPolarized = this.#totals.length > 1
    const spinOf = (spin: number): { readonly spin?: number } => (isPolarized ? { spin: SPINS[spin] ?? 0.5 } : {})
    const legend: Json[] = [
      ...this.#totals.map((_, spin) => spinOf(spin)),
      ...sums.map(({ element, state, spin }) => ({ element, electronicState: state, ...spinOf(spin) })),
    ]
    return {
      name: 'density_of_states',
      data: {
        xAxis: { label: 'energy', units: 'eV' },
        yAxis: { label: 'density of states', units: 'states/unitcell' },
        xDataArray: this.#energies,
        yDataSeries: [...this.#totals, ...sums.map(({ values }) => values)],
        legend,
      },
    }
  }
}

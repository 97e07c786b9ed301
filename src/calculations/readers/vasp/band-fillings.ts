/** A state that holds more of what it could hold, and less than all of it, is partly filled. */
const PART = 0.02

/** Bands of a spin that are told apart at most. */
const MOST_BANDS = 100_000

/** Least and most that the states of a band hold. */
interface BandFilling {
  least: number
  most: number
}

/** Fillings of bands, found while states are read. */
export class BandFillings {
  /** Fillings by spins, and bands within. */
  readonly #bands: BandFilling[][] = []
  #current: BandFilling[] = []
  #band = 0
  #mostHeld = 0
  /** Whether there is a state that holds a part of one electron, of two, or of either. */
  readonly #partly = { ofOne: false, ofTwo: false }

  /** Begins the states of a spin at a k-point: the first is of the first band. */
  begin(spin: number): void {
    this.#current = this.#bands[spin] ??= []
    this.#band = 0
  }

  add(occupation: number): void {
    this.#mostHeld = Math.max(this.#mostHeld, occupation)
    this.#partly.ofOne ||= isBetween(occupation, 1)
    this.#partly.ofTwo ||= isBetween(occupation, 2)
    const at = this.#band++
    if (at >= MOST_BANDS) return
    const filling = this.#current[at]
    if (filling === undefined) {
      this.#current[at] = { least: occupation, most: occupation }
      return
    }
    filling.least = Math.min(filling.least, occupation)
    filling.most = Math.max(filling.most, occupation)
  }

  get arePartlyFilled(): boolean {
    return this.#full === 2 ? this.#partly.ofTwo : this.#partly.ofOne
  }

  /** Whether a band is filled for the most part at one k-point, and empty at another: it crosses the Fermi level, as in a metal. */
  get isCrossed(): boolean {
    const half = this.#full / 2
    return this.#bands.some((bands) => bands.some(({ least, most }) => least < half && most > half))
  }

  /** Outputs count electrons of a state, or of each of its spins. */
  get #full(): number {
    return this.#mostHeld > 1.5 ? 2 : 1
  }
}

function isBetween(occupation: number, full: number): boolean {
  return occupation > PART * full && occupation < (1 - PART) * full
}

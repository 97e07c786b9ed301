import { rowOf } from '../../engine/segment-chunks.ts'

/** What is kept of records, by their numbers. */
interface KeptByNumber {
  readonly count: number
  names(): Iterable<number>
  delete(n: number): void
}

/** Lets go of what is kept of some records, ascending: one by one, or by looking at what is kept where that is less. */
export function letGo(kept: KeptByNumber, numbers: Float64Array): void {
  const gone = numbers.length <= kept.count ? numbers : [...kept.names()].filter((n) => rowOf(numbers, n) >= 0)
  for (const n of gone) kept.delete(n)
}

/** Bytes of a slab. A longer text is not kept. */
const SLAB_BYTES = 2 ** 20
/** Memory of a text beside its bytes: its place, by its number. */
const PLACE_BYTES = 64

interface Slab {
  /** Slabs that were begun before it. */
  readonly place: number
  readonly bytes: Buffer
  /** Texts that were put into it; some may be elsewhere by now. */
  readonly numbers: number[]
  used: number
}

interface Place {
  readonly slab: Slab
  readonly from: number
  readonly to: number
}

/**
 * Keeps texts by the numbers of their records, many in one buffer: tens of thousands of buffers would be marked in every collection. The slab that was
 * begun first goes as a whole; what is asked for of the older half is put into the newest. Slabs that have gone are not written again: whoever holds a text has it.
 */
export class TextSlabs {
  readonly #most: number
  readonly #slabs: Slab[] = []
  #begun = 0
  readonly #places = new Map<number, Place>()

  /** `bytes` in all; fewer than two slabs have keep nothing. */
  constructor(bytes: number) {
    this.#most = Math.floor(bytes / SLAB_BYTES)
  }

  get bytes(): number {
    return this.#slabs.length * SLAB_BYTES + this.#places.size * PLACE_BYTES
  }

  get count(): number {
    return this.#places.size
  }

  names(): Iterable<number> {
    return this.#places.keys()
  }

  get(n: number): Buffer | undefined {
    const place = this.#places.get(n)
    if (place === undefined) return undefined
    const text = place.slab.bytes.subarray(place.from, place.to)
    if (this.#isOld(place.slab)) this.set(n, text)
    return text
  }

  set(n: number, text: Buffer): void {
    if (this.#most < 2 || text.length > SLAB_BYTES) return
    const slab = this.#slabWith(text.length)
    const from = slab.used
    slab.used += text.copy(slab.bytes, from)
    slab.numbers.push(n)
    this.#places.set(n, { slab, from, to: slab.used })
  }

  delete(n: number): void {
    this.#places.delete(n)
  }

  #isOld(slab: Slab): boolean {
    return this.#slabs.length === this.#most && this.#begun - slab.place > this.#most / 2
  }

  #slabWith(room: number): Slab {
    const newest = this.#slabs.at(-1)
    if (newest !== undefined && newest.used + room <= SLAB_BYTES) return newest
    if (this.#slabs.length === this.#most) this.#dropOldest()
    const slab: Slab = { place: this.#begun++, bytes: Buffer.allocUnsafeSlow(SLAB_BYTES), numbers: [], used: 0 }
    this.#slabs.push(slab)
    return slab
  }

  #dropOldest(): void {
    const oldest = this.#slabs.shift()
    for (const n of oldest?.numbers ?? []) if (this.#places.get(n)?.slab === oldest) this.#places.delete(n)
  }
}

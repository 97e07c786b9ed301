/** Whole numbers of 32 bits, one after the other, in memory that grows with them and is used again. */
export class NumberRow {
  #numbers = new Uint32Array(16)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Makes room for so many in all. */
  reserve(numbers: number): void {
    if (numbers > this.#numbers.length) this.#grow(numbers)
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow(2 * this.#length)
    this.#numbers[this.#length] = number
    this.#length += 1
  }

  #grow(to: number): void {
    const larger = new Uint32Array(to)
    larger.set(this.view)
    this.#numbers = larger
  }

  /** The numbers where they lie: until the row is cleared. */
  get view(): Uint32Array {
    return this.#numbers.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }
}

/** Memory for merging columns, reused: each would leave megabytes behind. */
export class MergeRoom {
  readonly entries = new NumberRow()
  readonly present = new NumberRow()
  readonly counts = new NumberRow()
  readonly arrays = new NumberRow()
  readonly odd = new NumberRow()

  clear(): void {
    for (const row of [this.entries, this.present, this.counts, this.arrays, this.odd]) row.clear()
  }
}

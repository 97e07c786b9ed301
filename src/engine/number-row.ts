/** Whole numbers of 32 bits, one after the other, in memory that grows with them and is used again. */
export class NumberRow {
  #numbers = new Uint32Array(16)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(2 * this.#numbers.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#length] = number
    this.#length += 1
  }

  /** The numbers where they lie: until the row is cleared. */
  get view(): Uint32Array {
    return this.#numbers.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }
}

/** Memory for what the rows of merged columns are, reused from column to column. */
export class MergeRoom {
  readonly present = new NumberRow()
  readonly counts = new NumberRow()
  readonly arrays = new NumberRow()
  readonly odd = new NumberRow()

  clear(): void {
    for (const row of [this.present, this.counts, this.arrays, this.odd]) row.clear()
  }
}

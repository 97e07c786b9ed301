/** Keeps the first `capacity` of the items it is offered: what skip + limit needs of a sort. `compare` must be total. */
export class TopK<T> {
  readonly #capacity: number
  readonly #compare: (a: T, b: T) => number
  /** A binary heap with the last of the kept items on top. */
  readonly #heap: T[] = []

  constructor(capacity: number, compare: (a: T, b: T) => number) {
    this.#capacity = capacity
    this.#compare = compare
  }

  /** Considers one item; tells whether it is among the first so far. */
  offer(item: T): boolean {
    if (this.#heap.length < this.#capacity) {
      this.#heap.push(item)
      this.#rise(this.#heap.length - 1)
      return true
    }
    const last = this.#heap[0]
    if (last === undefined || this.#compare(item, last) >= 0) return false
    this.#heap[0] = item
    this.#sink(0)
    return true
  }

  /** The kept items in order. */
  sorted(): T[] {
    return this.#heap.toSorted(this.#compare)
  }

  #rise(from: number): void {
    let child = from
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.#isAfter(child, parent)) return
      this.#swap(child, parent)
      child = parent
    }
  }

  #sink(from: number): void {
    let parent = from
    for (;;) {
      const left = 2 * parent + 1
      const last = this.#isAfter(left + 1, left) ? left + 1 : left
      if (!this.#isAfter(last, parent)) return
      this.#swap(last, parent)
      parent = last
    }
  }

  #isAfter(a: number, b: number): boolean {
    if (a >= this.#heap.length || b >= this.#heap.length) return false
    return this.#compare(this.#heap[a] as T, this.#heap[b] as T) > 0
  }

  #swap(a: number, b: number): void {
    const item = this.#heap[a] as T
    this.#heap[a] = this.#heap[b] as T
    this.#heap[b] = item
  }
}

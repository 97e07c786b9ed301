import { LRUCache } from 'lru-cache'

/** Bounds of a cache: in bytes, in characters, or in entries that weigh 1 each. */
export interface CacheBounds {
  /** 0 keeps nothing. */
  readonly most: number
  /** Heavier values are not kept: they would push too much else out. */
  readonly heaviest?: number
}

/** Keeps values by name within a weight in all. Those that nobody has asked for the longest go first. */
export class BoundedCache<Value extends NonNullable<unknown>, Name extends string | number = string> {
  readonly #values: LRUCache<Name, Value> | null

  constructor({ most, heaviest = most }: CacheBounds) {
    this.#values = most > 0 ? new LRUCache({ maxSize: most, maxEntrySize: heaviest }) : null
  }

  get weight(): number {
    return this.#values?.calculatedSize ?? 0
  }

  get count(): number {
    return this.#values?.size ?? 0
  }

  /** The names of what is kept; what was asked for last comes first. */
  names(): Iterable<Name> {
    return this.#values?.keys() ?? []
  }

  has(name: Name): boolean {
    return this.#values?.has(name) ?? false
  }

  get(name: Name): Value | undefined {
    return this.#values?.get(name)
  }

  /** Keeps a value in place of the one that has the name, if it is not too heavy. */
  set(name: Name, value: Value, weight = 1): void {
    this.#values?.set(name, value, { size: weight })
  }

  delete(name: Name): void {
    this.#values?.delete(name)
  }

  clear(): void {
    this.#values?.clear()
  }
}

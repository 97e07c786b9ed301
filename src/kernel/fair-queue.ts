/** What waits in the lane of one user. */
interface Waiting<Item> {
  readonly item: Item
  readonly cost: number
  /** When the item would be done if every user got an equal share from its arrival on. */
  readonly finish: number
}

interface Lane<Item> {
  readonly waiting: Waiting<Item>[]
  /** The end, in virtual time, of all that the user has asked for so far. */
  finish: number
}

/**
 * A queue that gives every user an equal share of the work, however many items each has put in (start-time fair queueing: P. Goyal,
 * H. M. Vin, H. Cheng, IEEE/ACM Trans. Networking 5, 690, 1997). An item comes the sooner the less it costs and the less its user
 * has had lately; items of one user stay in their order. Costs are of any one unit: milliseconds, bytes.
 */
export class FairQueue<Item> {
  readonly #lanes = new Map<string, Lane<Item>>()
  #now = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many items of a user wait. */
  sizeOf(user: string): number {
    return this.#lanes.get(user)?.waiting.length ?? 0
  }

  push(user: string, cost: number, item: Item): void {
    const lane = this.#lanes.get(user) ?? this.#open(user)
    const finish = Math.max(this.#now, lane.finish) + cost
    lane.finish = finish
    lane.waiting.push({ item, cost, finish })
    this.#size += 1
  }

  /** Takes the item whose turn it is; undefined when none waits. */
  shift(): Item | undefined {
    let next: Lane<Item> | undefined
    for (const lane of this.#lanes.values()) {
      const finish = lane.waiting[0]?.finish
      if (finish !== undefined && finish < (next?.waiting[0]?.finish ?? Number.POSITIVE_INFINITY)) next = lane
    }
    const taken = next?.waiting.shift()
    if (taken === undefined) return undefined
    this.#size -= 1
    this.#now = Math.max(this.#now, taken.finish - taken.cost)
    this.#forgive()
    return taken.item
  }

  /** Takes an item out that nobody waits for any more; false when it is not there. */
  remove(user: string, item: Item): boolean {
    const waiting = this.#lanes.get(user)?.waiting ?? []
    const at = waiting.findIndex((one) => one.item === item)
    if (at < 0) return false
    waiting.splice(at, 1)
    this.#size -= 1
    this.#forgive()
    return true
  }

  /** Notes that an item which was taken out cost more than was thought, or less: the user's next turn comes later, or sooner. */
  charge(user: string, more: number): void {
    if (this.#size === 0) return
    const lane = this.#lanes.get(user) ?? this.#open(user)
    lane.finish = Math.max(this.#now, lane.finish) + more
  }

  #open(user: string): Lane<Item> {
    const lane: Lane<Item> = { waiting: [], finish: 0 }
    this.#lanes.set(user, lane)
    return lane
  }

  /** What a user has had counts for as long as others wait; lanes without a past are dropped. */
  #forgive(): void {
    if (this.#size === 0) {
      this.#lanes.clear()
      this.#now = 0
      return
    }
    for (const [user, lane] of this.#lanes) {
      if (lane.waiting.length === 0 && lane.finish <= this.#now) this.#lanes.delete(user)
    }
  }
}

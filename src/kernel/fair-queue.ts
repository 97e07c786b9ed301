interface Lane<Item> {
  readonly waiting: WaitingItem<Item>[]
  /** Start of the next item in virtual time: what the user has had so far. */
  start: number
}

interface WaitingItem<Item> {
  readonly item: Item
  readonly cost: number
  /** Number of items that have gone before it. */
  passed: number
}

/** An item goes before those of its user that cost more than so many times as much, but not before one that so many have passed. */
const MUCH_MORE = 4
const MOST_PASSES = 16

function mayPass(cost: number, before: { readonly cost: number; readonly passed: number }): boolean {
  return before.cost > MUCH_MORE * cost && before.passed < MOST_PASSES
}

const everybody = (): boolean => true

/**
 * A queue that gives every user an equal share of the work, however many items each has put in (start-time fair queueing: P. Goyal,
 * H. M. Vin, H. Cheng, IEEE/ACM Trans. Networking 5, 690, 1997). An item comes the sooner the less it costs and the less its user
 * has had lately; items of one user stay in their order, but that a small one goes before large ones. Costs are of any one unit: milliseconds, bytes.
 */
export class FairQueue<Item> {
  readonly #lanes = new Map<string, Lane<Item>>()
  #now = 0
  /** Number of items that wait; the queue alone counts them. */
  size = 0

  /** Waiting items of a user. */
  sizeOf(user: string): number {
    return this.#lanes.get(user)?.waiting.length ?? 0
  }

  push(user: string, cost: number, item: Item): void {
    const lane = this.#lanes.get(user) ?? this.#open(user)
    if (lane.waiting.length === 0) lane.start = Math.max(this.#now, lane.start)
    let at = lane.waiting.length
    for (
      let before = lane.waiting[at - 1];
      before !== undefined && mayPass(cost, before);
      before = lane.waiting[at - 1]
    ) {
      before.passed += 1
      at -= 1
    }
    lane.waiting.splice(at, 0, { item, cost, passed: 0 })
    this.size += 1
  }

  /** Takes the item whose turn it is, of those users who may have one now; undefined when none waits. */
  shift(mayHave: (user: string) => boolean = everybody): Item | undefined {
    const next = this.#nextLane(mayHave)
    const first = next?.waiting.shift()
    if (next === undefined || first === undefined) return undefined
    this.size -= 1
    this.#now = Math.max(this.#now, next.start)
    next.start += first.cost
    this.#forgive()
    return first.item
  }

  /** Tells whether any of those users who may have an item now waits for one. */
  has(mayHave: (user: string) => boolean): boolean {
    return this.#nextLane(mayHave) !== undefined
  }

  /** Takes an item out that nobody waits for any more; false when it is not there. */
  remove(user: string, item: Item): boolean {
    const lane = this.#lanes.get(user)
    const at = lane?.waiting.findIndex((one) => one.item === item) ?? -1
    if (lane === undefined || at < 0) return false
    lane.waiting.splice(at, 1)
    this.size -= 1
    this.#forgive()
    return true
  }

  /** Notes that an item which was taken out cost more than was thought, or less: the user's next turn comes later, or sooner. */
  charge(user: string, more: number): void {
    if (this.size === 0) return
    const lane = this.#lanes.get(user) ?? this.#open(user)
    lane.start = Math.max(this.#now, lane.start) + more
  }

  #nextLane(mayHave: (user: string) => boolean): Lane<Item> | undefined {
    let next: Lane<Item> | undefined
    let earliest = Number.POSITIVE_INFINITY
    for (const [user, lane] of this.#lanes) {
      const end = lane.start + (lane.waiting[0]?.cost ?? Number.POSITIVE_INFINITY)
      if (end >= earliest || !mayHave(user)) continue
      next = lane
      earliest = end
    }
    return next
  }

  #open(user: string): Lane<Item> {
    const lane: Lane<Item> = { waiting: [], start: 0 }
    this.#lanes.set(user, lane)
    return lane
  }

  /** Drops lanes without a past; what a user has had counts for as long as others wait. */
  #forgive(): void {
    if (this.size === 0) {
      this.#lanes.clear()
      this.#now = 0
      return
    }
    for (const [user, lane] of this.#lanes) {
      if (lane.waiting.length === 0 && lane.start <= this.#now) this.#lanes.delete(user)
    }
  }
}

import type { Bits } from '../../../engine/bits.ts'
import { both, exactly, isExact, type Selection } from '../../../engine/selection.ts'
import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { FilterNode } from '../../../query/ast/filter.ts'
import type { LoadedSegment } from './shelf-views.ts'

/** What an entry takes beside its sets of rows. */
const ENTRY_BYTES = 256

/** What the columns of a segment say of a filter, and what is left of that of rows that are alive. */
interface Kept {
  readonly selection: Selection
  live: Bits | null
  living: Selection
}

/**
 * Keeps what columns say of filters, within a number of bytes; what was not asked for longest goes first. Segments never change, so that it holds
 * as long as they do; which of their rows are alive does.
 */
export class SelectionCache {
  readonly #kept: BoundedCache<Kept>
  /** The text by which a filter is known, made once for each; null for one that JSON does not tell from others. */
  readonly #texts = new WeakMap<FilterNode, { readonly text: string | null }>()

  constructor(bytes: number) {
    this.#kept = new BoundedCache({ most: bytes })
  }

  /** The rows of a segment that match and are alive. */
  living({ row, live, isWhole }: LoadedSegment, filter: FilterNode, evaluate: () => Selection): Selection {
    const kept = this.#find(row.number, filter, evaluate)
    if (isWhole) return kept.selection
    if (kept.live !== live) {
      kept.living = both(kept.selection, exactly(live))
      kept.live = live
    }
    return kept.living
  }

  #find(segment: number, filter: FilterNode, evaluate: () => Selection): Kept {
    const text = this.#textOf(filter)
    const key = `${segment} ${text}`
    const known = text === null ? undefined : this.#kept.get(key)
    if (known !== undefined) return known
    const selection = evaluate()
    const kept = { selection, live: null, living: selection }
    // As much again for what is alive of it.
    const sets = isExact(selection) ? 2 : 4
    if (text !== null) this.#kept.set(key, kept, ENTRY_BYTES + key.length * 2 + sets * selection.may.byteLength)
    return kept
  }

  #textOf(filter: FilterNode): string | null {
    let known = this.#texts.get(filter)
    if (known === undefined) {
      known = { text: textOf(filter) }
      this.#texts.set(filter, known)
    }
    return known.text
  }
}

/** Null for a filter with numbers that JSON does not have: they would all be one. */
function textOf(filter: FilterNode): string | null {
  let isFaithful = true
  const text = JSON.stringify(filter, (_, value: unknown) => {
    const isKnown = typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'bigint'
    if (!isKnown) isFaithful = false
    return isKnown ? value : null
  })
  return isFaithful ? text : null
}

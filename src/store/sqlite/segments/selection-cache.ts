import { isExact, type Selection } from '../../../engine/selection.ts'
import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { FilterNode } from '../../../query/ast/filter.ts'
import type { SelectionMemory } from './find-records.ts'
import type { LoadedSegment } from './shelf-views.ts'

/** What an entry takes beside its sets of rows. */
const ENTRY_BYTES = 256

/** Keeps what columns said of filters, within a number of bytes; what was not asked for longest goes first. */
export class SelectionCache implements SelectionMemory {
  readonly #kept: BoundedCache<Selection>
  /** The text by which a filter is known, made once for each; null for one that JSON does not tell from others. */
  readonly #texts = new WeakMap<FilterNode, { readonly text: string | null }>()

  constructor(bytes: number) {
    this.#kept = new BoundedCache({ most: bytes })
  }

  find({ row }: LoadedSegment, filter: FilterNode, evaluate: () => Selection): Selection {
    const text = this.#textOf(filter)
    if (text === null) return evaluate()
    const key = `${row.number} ${text}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const selection = evaluate()
    const sets = isExact(selection) ? 1 : 2
    this.#kept.set(key, selection, ENTRY_BYTES + key.length * 2 + sets * selection.may.byteLength)
    return selection
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

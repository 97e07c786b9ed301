import type { Store } from '../../src/store/port/store.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { newStorage, STORE } from './storage.ts'

/** A store under test, over storage of its own. */
export interface OpenTarget {
  readonly store: Store
  /** Closes the store and opens the same storage again. */
  reopen(): Promise<Store>
  /** Closes the store and removes its storage. */
  dispose(): Promise<void>
}

/** A kind of store that the contract is tested against. */
export interface StoreTarget {
  readonly name: string
  open(): Promise<OpenTarget>
  /** The same with every record in a segment from the first moment on. */
  openInSegments(): Promise<OpenTarget>
}

const AT_ONCE: SegmentSizes = { tailRows: 1, mergedTogether: 4, takenOver: 16 }

/** The store that this run is about. */
export const TARGET: StoreTarget = { name: STORE, open: () => open(), openInSegments: () => open(AT_ONCE) }

async function open(segmentSizes?: SegmentSizes): Promise<OpenTarget> {
  const storage = await newStorage()
  const options = segmentSizes === undefined ? {} : { segmentSizes }
  let store = await storage.open(options)
  return {
    store,
    async reopen() {
      await store.close()
      store = await storage.open(options)
      return store
    },
    async dispose() {
      await store.close()
      await storage.remove()
    },
  }
}

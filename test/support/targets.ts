import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/port/store.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

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

/** Every store that there is; `STORES=sqlite` names those to test. */
export const TARGETS: readonly StoreTarget[] = [
  { name: 'sqlite', open: () => openSqlite(), openInSegments: () => openSqlite(AT_ONCE) },
].filter(({ name }) => process.env['STORES'] === undefined || process.env['STORES'].split(',').includes(name))

const AT_ONCE: SegmentSizes = { tailRows: 1, mergedTogether: 4, takenOver: 16 }

async function openSqlite(segmentSizes?: SegmentSizes): Promise<OpenTarget> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-store-'))
  const options = { dataDirectory, ...(segmentSizes === undefined ? {} : { segmentSizes }) }
  let store = await openSqliteStore(options)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openSqliteStore(options)
      return store
    },
    async dispose() {
      await store.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

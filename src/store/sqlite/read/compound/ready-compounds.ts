import { type CompoundIndex, compoundReader, sortText } from '../../compound/compound-index.ts'
import type { Connection } from '../../database.ts'

/** The compound indexes that can be read, by collection and sort. */
export interface ReadyCompounds {
  /** The same list until an index is made or given up. */
  over(collection: number, sort: string): readonly CompoundIndex[]
}

/** For readers that do without. */
export const NO_COMPOUNDS: ReadyCompounds = { over: () => [] }

const NONE: readonly CompoundIndex[] = []

/** Remembers which indexes are ready until a commit of any process. */
export function readyCompounds(connection: Connection): ReadyCompounds {
  const readAll = compoundReader(connection)
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  let rememberedVersion: number | undefined
  let text = ''
  let known = new Map<string, CompoundIndex[]>()

  function refresh(): void {
    const ready = readAll().filter(({ state }) => state === 'ready')
    const now = JSON.stringify(ready)
    if (now === text) return
    text = now
    known = new Map()
    for (const index of ready) {
      const key = `${index.collection} ${sortText(index.sort)}`
      known.set(key, [...(known.get(key) ?? []), index])
    }
  }

  return {
    over(collection, sort) {
      const version = dataVersion.get()
      if (version !== rememberedVersion) refresh()
      rememberedVersion = version
      return known.get(`${collection} ${sort}`) ?? NONE
    },
  }
}

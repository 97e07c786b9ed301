import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type DataSet, type FilledStore, fillStore, type LoadFigures } from '../corpus/data-set.ts'

/** More would take long and show nothing else. */
const MOST_LOADED = 100_000

/** Fills a new store with a part of the data set, through its port, and throws it away. */
export async function measureLoad({ file, documents }: DataSet, seed: number): Promise<LoadFigures> {
  const folder = mkdtempSync(join(dirname(file), 'load-'))
  try {
    const filled = await fillStore(file, join(folder, 'data'), { seed, most: Math.min(documents, MOST_LOADED) })
    return (JSON.parse(filled) as FilledStore).load
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

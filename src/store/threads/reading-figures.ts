import type { Reading } from '../../kernel/figures.ts'
import { STORE_FIGURES } from '../figures.ts'
import type { SharedChunks } from '../segments/column-cache.ts'
import type { ReadCounts } from './long-reads.ts'
import type { PoolFigures } from './reader-pool.ts'

export function readingFigures(
  { pages, columns, loaded, byDocument, long, timeOuts }: ReadCounts,
  { threads, busy, waiting }: PoolFigures,
  chunks: Pick<SharedChunks, 'bytes'>,
): readonly Reading[] {
  return [
    [STORE_FIGURES.pages, Object.entries(pages)],
    [STORE_FIGURES.columns, columns],
    [STORE_FIGURES.columnsLoaded, loaded],
    [STORE_FIGURES.documentsRead, byDocument],
    [STORE_FIGURES.columnBytes, chunks.bytes],
    [STORE_FIGURES.longReads, long],
    [STORE_FIGURES.timeOuts, timeOuts],
    [STORE_FIGURES.readerThreads, threads],
    [STORE_FIGURES.readersBusy, busy],
    [STORE_FIGURES.readersWaiting, waiting],
  ]
}

import { loadSamples } from '../records/load-samples.ts'
import type { Services } from './open-services.ts'

const MARK = 'samples'

/** Loads the samples into a store that never had them; what was deleted since stays deleted. */
export async function prepareSamples({ store, records }: Services): Promise<void> {
  if ((await store.readMark(MARK)) !== null) return
  await loadSamples(records)
  await store.writeMark(MARK, new Date(records.clock()).toISOString())
}

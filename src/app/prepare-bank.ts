import { fillBank } from '../records/bank/fill-bank.ts'
import type { Services } from './open-services.ts'

const MARK = 'bank'

/** Fills the banks of a store that is older than they are, once; before anybody else writes to it. */
export async function prepareBank({ store, records, kinds }: Services): Promise<void> {
  if ((await store.readMark(MARK)) !== null) return
  for (const kind of kinds) await fillBank(records, kind)
  await store.writeMark(MARK, new Date(records.clock()).toISOString())
}

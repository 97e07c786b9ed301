import { newId } from '../kernel/names.ts'
import type { Services } from './open-services.ts'

/** Time for which one of several processes over the same data keeps its turn after its last step. */
const TURN_MS = 60_000

/** Says whether it is the turn of this process at some work, and keeps it a while longer. Two at a time would only do the same work twice. */
export function turnOf({ store, records }: Services, mark: string): () => Promise<boolean> {
  const self = newId(records.random)
  return async () => {
    const now = records.clock()
    const held = await store.readMark(mark)
    const [holder = '', until = '0'] = (held ?? '').split(' ')
    if (Number(until) > now + (holder === self ? TURN_MS / 2 : 0)) return holder === self
    return store.moveMark(mark, held, `${self} ${now + TURN_MS}`)
  }
}

import type { HttpSettings } from '../settings.ts'
import { AnswerCache } from './answer-cache.ts'
import { KnownLists } from './known-lists.ts'

/** What requests leave for those that come after them. */
export interface Memory {
  readonly answers: AnswerCache
  readonly lists: KnownLists
}

/** Makes the memory of a server. */
export function createMemory({ responseCacheBytes }: HttpSettings): Memory {
  return { answers: new AnswerCache(responseCacheBytes), lists: new KnownLists() }
}

import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { type AnswerCache, createAnswerCache } from './answer-cache.ts'
import { KnownLists } from './known-lists.ts'

/** What the regular way leaves for the fast lane. */
export interface Memory {
  readonly answers: AnswerCache
  readonly lists: KnownLists
}

/** Makes the memory of a server. */
export function createMemory(services: HttpServices, settings: HttpSettings): Memory {
  return { answers: createAnswerCache(services, settings), lists: new KnownLists() }
}

import { expect, it } from 'vitest'
import { ColumnCache } from '../../src/store/segments/column-cache.ts'
import { ENDLESS_EFFORT } from '../../src/store/segments/effort.ts'
import { askName, FieldUnknown, KnowledgeOfFields } from '../../src/store/segments/field-knowledge.ts'
import type { ShelfView } from '../../src/store/segments/shelf-view.ts'
import { TailQuestions } from '../../src/store/segments/tail-document.ts'

const shelf = (version: number): ShelfView => ({
  name: 'c',
  version,
  segments: [],
  tail: [],
  tailBytes: 0,
  questions: new TailQuestions(),
  backlog: null,
})

it('what another thread has found out is remembered until a shelf has changed', () => {
  const knowledge = new KnowledgeOfFields(new ColumnCache(0, null), (ask) => {
    throw new FieldUnknown(ask)
  })
  const kindsIn = (shelves: readonly ShelfView[]) => knowledge.of(shelves, { effort: ENDLESS_EFFORT })?.kindsAt('rank')
  const [publicOnes, own] = [shelf(1), shelf(1)]
  expect(() => kindsIn([publicOnes, own])).toThrow(FieldUnknown)
  knowledge.learn([publicOnes, own], new Map([[askName({ kindsAt: 'rank' }), new Set(['number'] as const)]]))
  expect(kindsIn([publicOnes, own])).toEqual(new Set(['number']))
  expect(() => kindsIn([publicOnes, shelf(2)])).toThrow(FieldUnknown)
  expect(() => kindsIn([shelf(2), own])).toThrow(FieldUnknown)
})

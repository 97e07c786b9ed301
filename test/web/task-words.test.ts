import { expect, test } from 'vitest'
import type { BulkTask } from '../../web/app/bulk-tasks.ts'
import { endWords, wordsOf } from '../../web/parts/task-words.ts'

const TASK: BulkTask = {
  _id: 'x',
  collection: 'materials',
  action: 'update',
  state: 'running',
  matched: 6608,
  done: 3500,
  count: 3500,
  unchanged: 0,
  refused: 0,
  undo: null,
  at: '',
  by: { slug: 'ada' },
}

test.each([
  [{}, 'Changing 6,608 materials: 3,500 done'],
  [{ state: 'waiting', done: 0 }, 'Changing 6,608 materials: waiting'],
  [{ action: 'recompute' }, 'Computing again 6,608 materials: 3,500 done'],
  [{ action: 'undo' }, 'Putting back 6,608 materials: 3,500 done'],
] as const)('says how far a change is: %j', (fields, words) => {
  expect(wordsOf({ ...TASK, ...fields })).toBe(words)
})

test.each([
  [{ state: 'done', count: 6608 }, '6,608 materials changed.'],
  [{ state: 'done', count: 6600, unchanged: 6, refused: 2 }, '6,600 materials changed, 6 were so already, 2 refused.'],
  [{ state: 'cancelled', action: 'remove' }, 'Cancelled after 3,500 of 6,608: 3,500 materials deleted.'],
  [
    { state: 'done', action: 'recompute', count: 8, unchanged: 6600 },
    '8 materials brought up to date, 6,600 were so already.',
  ],
  [
    { state: 'done', action: 'import', collection: 'jobs', count: 40, unchanged: 1, refused: 2 },
    '40 calculations stored, 1 was there already, 2 refused.',
  ],
  [{ state: 'failed' }, 'Stopped after 3,500 of 6,608: 3,500 materials changed.'],
] as const)('says how a change has ended: %j', (fields, words) => {
  expect(endWords({ ...TASK, ...fields })).toBe(words)
})

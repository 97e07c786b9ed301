import { expect, test } from 'vitest'
import { differenceWords } from '../../web/pages/curate/difference-words.ts'

const entry = { _id: 'qAnjnNCC9GMmmEK4f', cls: 'Material', slug: 'series-15', type: 'ordered', index: 2 }

test.each([
  [{ path: '/isPublic', from: false, to: true }, ['Seen by', 'its account alone', 'everybody']],
  [{ path: '/isPublic', to: false }, ['Seen by', 'its account alone', 'its account alone']],
  [{ path: '/inSet', to: [entry] }, ['set', null, 'series-15']],
  [{ path: '/inSet/0', from: entry }, ['set', 'series-15', null]],
  [{ path: '/tags/2', to: 'reviewed' }, ['tags', null, 'reviewed']],
  [{ path: '/lattice/a', from: 3.5, to: 4 }, ['lattice.a', '3.5', '4']],
  [{ path: '/description', to: 'x'.repeat(50) }, ['description', null, `${'x'.repeat(40)}…`]],
])('%j is told as %j', (change, [field, from, to]) => {
  expect(differenceWords(change)).toEqual({ field, from, to })
})

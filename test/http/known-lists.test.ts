import { expect, test } from 'vitest'
import { KnownLists } from '../../src/http/fast-lane/request-caches.ts'
import { readListRequest } from '../../src/http/request/list-request.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { planQuery } from '../../src/query/plan.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'

const ADA = { kind: 'account', accountId: 'ada' } as const
const BOB = { kind: 'account', accountId: 'bob' } as const
const NO_NEXT = () => null

function remember(lists: KnownLists, target: string): void {
  const { listed, counts } = readListRequest('query={"a":1}', DEFAULT_HTTP_SETTINGS, materialKind)
  const plan = planQuery(listed, 'materials', ADA)
  lists.put(ADA, target, { plan, counts, nextPage: NO_NEXT })
}

test('a list is remembered with its plan for whoever asked it, and for nobody else', () => {
  const lists = new KnownLists()
  remember(lists, '/a')
  const plan = lists.get(ADA, '/a')?.plan
  expect(plan).toMatchObject({ collection: 'materials', scope: ADA })
  expect(lists.get(ADA, '/a')?.plan).toBe(plan)
  expect(lists.get(BOB, '/a')).toBeNull()
})

test('the oldest lists are forgotten when there are too many, and long addresses are not remembered', () => {
  const lists = new KnownLists()
  const target = (n: number) => `/${n}?${'x'.repeat(4000)}`
  for (let n = 0; n < 1000; n++) remember(lists, target(n))
  const kept = Array.from({ length: 1000 }, (_, n) => n).filter((n) => lists.get(ADA, target(n)) !== null)
  expect(kept.length).toBeGreaterThan(100)
  expect(kept.length).toBeLessThan(140)
  expect(kept.at(-1)).toBe(999)
  remember(lists, `/long?${'x'.repeat(9000)}`)
  expect(lists.get(ADA, `/long?${'x'.repeat(9000)}`)).toBeNull()
})

test('a list that is put again takes no more room than before', () => {
  const lists = new KnownLists()
  for (let time = 0; time < 100; time++) remember(lists, '/a')
  expect(lists.characters).toBe('/a'.length)
})

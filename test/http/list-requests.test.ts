import { expect, test } from 'vitest'
import type { RequestContext } from '../../src/http/exchange/context.ts'
import { ListRequests } from '../../src/http/request/list-request.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import type { Collection } from '../../src/records/work/deps.ts'

/** What the address of a list asks, for the user of an account. */
function read(lists: ListRequests, target: string, accountId = 'ada') {
  const query = `query={"a":"${target}"}`
  const context = { url: `/api/2018-10-01/materials?${query}`, query, enter() {} } as unknown as RequestContext
  const collection = { kind: materialKind, session: { scope: { kind: 'account', accountId } } } as Collection
  return lists.read(context, collection)
}

test('the address of a list is read once for whoever asks it, and anew for anybody else', () => {
  const lists = new ListRequests(DEFAULT_HTTP_SETTINGS)
  const first = read(lists, 'x')
  expect(first.plan).toMatchObject({ collection: 'materials', scope: { accountId: 'ada' } })
  expect(read(lists, 'x')).toBe(first)
  expect(read(lists, 'x', 'bob').plan).toMatchObject({ scope: { accountId: 'bob' } })
  expect(lists.metrics).toEqual({ found: 1, missed: 2 })
})

test('the oldest addresses are forgotten when there are too many, and long ones are not kept', () => {
  const lists = new ListRequests(DEFAULT_HTTP_SETTINGS)
  const target = (n: number) => `${n} ${'x'.repeat(4000)}`
  for (let n = 0; n < 1000; n++) read(lists, target(n))
  const isKept = (text: string) => {
    const { found } = lists.metrics
    read(lists, text)
    return lists.metrics.found > found
  }
  expect(isKept(target(999))).toBe(true)
  expect(isKept(target(900))).toBe(true)
  expect(isKept(target(800))).toBe(false)
  expect([isKept('x'.repeat(9000)), isKept('x'.repeat(9000))]).toEqual([false, false])
})

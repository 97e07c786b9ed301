import { carryOn } from '../../../src/records/tasks/carry-out-task.ts'
import { MOST_TOGETHER } from '../../../src/records/use-cases/bulk-selection.ts'
import { findUnderWay } from '../../../src/records/use-cases/bulk-tasks.ts'
import type { Actor, LiveServer } from './live-server.ts'
import { method } from './records.ts'

/** More methods than one transaction takes. */
export const MANY = MOST_TOGETHER + 101

/** Stores many methods under a tag. */
export async function storeMany(server: LiveServer, tag: string, as: Actor = 'ada', count = MANY): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify(method(`${tag}-${index}`, { tags: [tag], index })),
  )
  const sent = { as, headers: { 'content-type': 'application/x-ndjson' }, body: lines.join('\n') }
  const response = await fetch(`${server.origin}/api/2018-10-01/methods/bulk`, {
    method: 'POST',
    headers: { ...sent.headers, ...server.credentials[as] },
    body: sent.body,
  })
  await response.text()
}

/** Begins a change of the methods with a tag, which are too many for one transaction. */
export function beginMany(server: LiveServer, tag: string, body: object, as: Actor = 'ada') {
  const verb = 'change' in body ? 'PATCH' : 'DELETE'
  return server.call(verb, 'methods', {
    as,
    headers: { prefer: 'respond-async' },
    body: { query: { tags: tag }, expectedCount: MANY, ...body },
  })
}

/** Carries out one portion of all changes that are under way; tells whether there were any. */
export async function carryOnOnce({ services: { records, kinds } }: LiveServer): Promise<boolean> {
  const underWay = await findUnderWay(records)
  for (const one of underWay) await carryOn(records, kinds, one)
  return underWay.length > 0
}

/** Carries out all changes that are under way. */
export async function carryOutAll(server: LiveServer): Promise<void> {
  while (await carryOnOnce(server));
}

import { expect } from 'vitest'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { addressOf } from '../../../src/records/ids.ts'
import type { LiveServer } from './live-server.ts'

/** Stores a record of ada's, or a public one, without a field that is computed: as an earlier version of the program, which computed less, has it. */
export async function makeStale(server: LiveServer, collection: string, id: string, field: string): Promise<void> {
  const { store } = server.services.records
  const own = { kind: 'account', accountId: server.accountIds.ada } as const
  const record = (await store.read(collection, own, id)) ?? (await store.read(collection, { kind: 'public' }, id))
  if (record === null) throw new Error(`${id} is not there`)
  const { [field]: had, ...rest } = JSON.parse(record.text) as JsonObject
  expect(had).toBeDefined()
  const { isPublic } = record
  const change = { action: 'replace', ...addressOf(collection, record), isPublic, keepsRevision: false } as const
  expect(await store.apply([{ ...change, text: JSON.stringify(rest) }])).toMatchObject([{ outcome: 'done' }])
}

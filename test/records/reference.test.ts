import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import { DEFAULT_RECORD_LIMITS } from '../../src/records/record-kind.ts'
import { readSamples } from '../../src/records/samples/library.ts'
import { completeRecord } from '../../src/records/work/complete-record.ts'
import { silicon } from './support/record-room.ts'

const page = readFileSync(new URL('../../docs/reference/records.md', import.meta.url), 'utf8')

test('the reference names every field of a stored record', async () => {
  const server = { _id: 'x', isDefault: false, owner: {}, creator: {}, createdAt: '', updatedAt: '' }
  const method = { type: 'a', subtype: 'b', precision: {}, data: {} }
  for (const kind of RECORD_KINDS) {
    const { text } = await completeRecord(kind, kind.name === 'material' ? silicon() : method, server)
    for (const field of Object.keys(JSON.parse(text))) expect(page).toContain(`\`${field}\``)
  }
})

test('the reference says what the limits and the samples are', () => {
  const { bytes, depth, leaves } = DEFAULT_RECORD_LIMITS
  expect(page).toContain(
    `more than ${depth} levels; more than ${leaves.toLocaleString('en')} values;\nmore than ${bytes / 2 ** 20} MiB`,
  )
  const prototypes = readSamples('materials').map(
    ({ document }) => (document.metadata as { prototype: string }).prototype,
  )
  expect(page).toContain(`${new Set(prototypes).size} structure types`)
})

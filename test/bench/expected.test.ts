import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectedAnswers, sampleDocuments } from '../../bench/corpus/expected.ts'
import type { BenchDocument, ListWorkload } from '../../bench/workloads.ts'

const COUNT = 5000
const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-'))
const file = join(folder, 'documents.ndjson')

/** Names go against the order of insertion; every tenth document has the same group. */
const lines = Array.from({ length: COUNT }, (_, serial) => ({
  id: `id-${serial}`,
  accountId: serial % 2 === 0 ? 'mine' : 'other',
  isPublic: false,
  document: { _id: `id-${serial}`, name: String(COUNT - serial).padStart(5, '0'), bench: { group: serial % 10 } },
}))

const workload = (projection: ListWorkload['projection']): ListWorkload => ({
  kind: 'list',
  id: 'W',
  title: '',
  query: {},
  projection,
  selects: ({ bench }: BenchDocument) => bench.group < 5,
})

beforeAll(() => writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n')))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the right answers', () => {
  it('are the page that sorting everything would give, of what the view shows', async () => {
    const projection = { sort: { 'bench.group': 1, name: -1 }, skip: 20, limit: 3 } as const
    const answers = await expectedAnswers(file, [workload(projection)], ({ accountId }) => accountId === 'mine')
    // groups 0, 2 and 4 are mine: 500 documents each, in group 0 by serial, for names fall
    expect(answers.get('W')?.matches).toBe(1500)
    expect(answers.get('W')?.documents.map(({ _id }) => _id)).toEqual(['id-200', 'id-210', 'id-220'])
  })

  it('leave ties in the order of insertion', async () => {
    const projection = { sort: { 'bench.group': -1 }, limit: 3 } as const
    const answers = await expectedAnswers(file, [workload(projection)], () => true)
    expect(answers.get('W')?.documents.map(({ _id }) => _id)).toEqual(['id-4', 'id-14', 'id-24'])
  })

  it('take records to read from all over the file, as far as the view shows them', async () => {
    const sample = await sampleDocuments(file, COUNT, 100, ({ accountId }) => accountId === 'mine')
    expect(sample).toHaveLength(100)
    expect(new Set(sample.map(({ _id }) => _id)).size).toBe(100)
    expect(sample.every(({ _id }) => Number(_id.slice(3)) % 2 === 0)).toBe(true)
  })
})

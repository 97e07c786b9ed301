import { describe, expect, test } from 'vitest'
import { batchGatherer } from '../../src/store/sqlite/write/gather-batch.ts'
import type { NumberedJob, WriteRequest } from '../../src/store/sqlite/write/write-job.ts'

const change = { action: 'erase', collection: 'materials', id: 'x', accountId: 'a', expectedVersion: 1 } as const
const bulk = (number: number, records = 400): NumberedJob => ({
  number,
  job: { kind: 'applyEach', changes: Array(records).fill(change) },
})
const single = (number: number): NumberedJob => ({ number, job: { kind: 'apply', changes: [change] } })

/** Gathers all that waits, commit after commit: the numbers of the jobs of each. */
function commitsOf(waiting: readonly WriteRequest[], gather = batchGatherer()): (number | 'close')[][] {
  const queue = [...waiting]
  const commits: (number | 'close')[][] = []
  let next = queue.shift()
  while (next !== undefined) {
    if (next === 'close') {
      commits.push(['close'])
      next = queue.shift()
      continue
    }
    const gathered = gather(next, () => queue.shift())
    commits.push(gathered.batch.map(({ number }) => number))
    next = gathered.next ?? queue.shift()
  }
  return commits
}

describe('what shares a commit', () => {
  test('are the jobs that somebody waits for', () => {
    expect(commitsOf([single(1), single(2), single(3)])).toEqual([[1, 2, 3]])
  })

  test('are bulk writes, up to a bound', () => {
    const waiting = Array.from({ length: 12 }, (_, number) => bulk(number))
    expect(commitsOf(waiting)).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [10, 11],
    ])
  })

  test('are not bulk writes and others', () => {
    expect(commitsOf([bulk(1), bulk(2), single(3), single(4), bulk(5)])).toEqual([[1, 2], [3, 4], [5]])
  })

  test('are few bulk writes while others write, and many again when they no longer do', () => {
    let now = 0
    const gather = batchGatherer(() => now)
    expect(commitsOf([single(1), bulk(2), bulk(3), bulk(4)], gather)).toEqual([[1], [2, 3], [4]])
    now = 2001
    expect(commitsOf([bulk(2), bulk(3), bulk(4)], gather)).toEqual([[2, 3, 4]])
  })

  test('are many bulk writes while only the store itself writes beside them', () => {
    const own = (number: number): NumberedJob => ({ number, job: { kind: 'backlog' } })
    const touch = (number: number): NumberedJob => ({
      number,
      job: { kind: 'account', write: { action: 'touchToken', tokenId: 't', lastUsedAt: 1 } },
    })
    const commits = commitsOf([own(1), bulk(2), bulk(3), bulk(4), touch(5), bulk(6), bulk(7), bulk(8)])
    expect(commits).toEqual([[1], [2, 3, 4], [5], [6, 7, 8]])
  })

  test('is nothing that comes after the end', () => {
    expect(commitsOf([single(1), 'close', single(2)])).toEqual([[1], ['close'], [2]])
  })
})

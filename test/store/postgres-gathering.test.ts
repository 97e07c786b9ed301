import { expect, it } from 'vitest'
import { gatherInSlices } from '../../src/store/postgres/write/seal.ts'
import { gatherSegments } from '../../src/store/segments/gather-segments.ts'

it('records are gathered into a segment while others on the thread have their turn', async () => {
  const records = Array.from({ length: 3000 }, (_, n) => {
    const fields = Array.from({ length: 60 }, (_, at) => [`f${at}`, Math.sin(n * at)] as const)
    return { n, doc: JSON.stringify(Object.fromEntries(fields)) }
  })
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const gathered = await gatherInSlices(records)
  isOver = true
  expect(turns).toBeGreaterThan(2)
  expect(gathered).toEqual(gatherSegments(records))
})

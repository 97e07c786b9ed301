import { expect, it } from 'vitest'
import { TaskEnded } from '../../src/kernel/worker-pool.ts'
import { symmetryGaveUpMs } from '../../src/records/kinds/material/symmetry-fields.ts'
import { endedRefusal, partOf, reasonOf } from '../../src/records/work/run-batch.ts'

const late = new TaskEnded('late', 'it was given too little of a processor', partOf(0, 'record'))

it('a record that the server was too busy to read is refused with when to send it again', () => {
  expect(endedRefusal(late)).toMatchObject({ code: 50311, data: { retryAfterSeconds: 5 } })
})

it('a search for symmetry that the server was too busy for is one of those that are done again', () => {
  const message = `The symmetry was not computed: ${reasonOf(late)}.`
  expect(symmetryGaveUpMs({ consistencyChecks: [{ key: 'spaceGroup', message }] })).toBe(0)
})

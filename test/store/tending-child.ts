import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { insertion } from '../support/plans.ts'

/** Writes so that tails are sealed and segments merged all the time, and says which writes were acknowledged; the test kills it meanwhile. */
const [dataDirectory = '', first = '0'] = process.argv.slice(2)
const store = await openSqliteStore({ dataDirectory, segmentSizes: { tailRows: 4, mergedTogether: 2, takenOver: 50 } })

for (let i = Number(first); ; i += 1) {
  const addressed = { collection: 'c', accountId: 'owner', expectedVersion: 1 } as const
  const own = (name: string) => insertion('c', `${i}-${name}`, { i, name, tags: ['t', i % 5] })
  await store.records.applyEach(['a', 'b', 'd', 'e'].map(own))
  await store.records.applyEach([
    {
      action: 'replace',
      ...addressed,
      id: `${i}-a`,
      isPublic: i % 2 === 0,
      text: JSON.stringify({ i, name: 'changed' }),
    },
    { action: 'remove', ...addressed, id: `${i}-b` },
  ])
  process.stdout.write(`${i}\n`)
}

import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { insertion } from '../support/plans.ts'

/** Writes to one home without end and says on its output which writes were acknowledged; the test lets it sleep in the middle. */
const [url = '', accountId = '', writeTimeout = '30000'] = process.argv.slice(2)
const store = await openPostgresStore({ url, writeTimeoutMs: Number(writeTimeout) })
for (let i = 0; ; i += 1) {
  await store.records.apply([insertion('c', `child-${i}`, { name: `child-${i}` }, { accountId })])
  process.stdout.write(`child-${i}\n`)
}

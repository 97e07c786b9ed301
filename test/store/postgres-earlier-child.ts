import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'

/** Serves a database with the store of another version: writes a record for each line of its input, and answers with the names of all. */
const [directory = '', url = ''] = process.argv.slice(2)
const module = pathToFileURL(join(directory, 'src', 'store', 'postgres', 'open-postgres-store.ts')).href
const { openPostgresStore } = (await import(module)) as typeof import('../../src/store/postgres/open-postgres-store.ts')
const store = await openPostgresStore({ url })
for await (const name of createInterface({ input: process.stdin })) {
  await store.records.apply([insertion('c', name, { name }, { accountId: 'ada' })])
  const page = await store.records.find(planOf('c', {}, {}, accountScope('ada')))
  process.stdout.write(`${JSON.stringify(documentsOf(page).map((document) => document['name']))}\n`)
}
await store.close()

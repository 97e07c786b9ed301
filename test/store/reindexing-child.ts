import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

/** Makes the index anew and says on its output how far it is; the test kills it in the middle. */
const [dataDirectory = ''] = process.argv.slice(2)
const store = await openSqliteStore({ dataDirectory })
await store.reindex((done) => process.stdout.write(`${done}\n`))
await store.close()

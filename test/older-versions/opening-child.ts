import { setTimeout as delay } from 'node:timers/promises'
import { getEnvironmentData } from 'node:worker_threads'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { workUnderWay } from '../support/at-rest.ts'

/** Opens a data directory as a server does, waits until all is brought up to date, and says how many statements have written. */
const [dataDirectory = ''] = process.argv.slice(2)
const store = await openSqliteStore({ dataDirectory })
while (workUnderWay(dataDirectory).length > 0) await delay(5)
await store.close()
console.log(new Int32Array(getEnvironmentData('writes') as SharedArrayBuffer)[0])

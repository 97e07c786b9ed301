import { once } from 'node:events'
import { getEnvironmentData } from 'node:worker_threads'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

/** Opens a data directory as a server does, says so, closes it when its input ends, and says how many statements have written. */
const [dataDirectory = ''] = process.argv.slice(2)
const store = await openSqliteStore({ dataDirectory })
console.log('open')
await once(process.stdin.resume(), 'end')
await store.close()
console.log(new Int32Array(getEnvironmentData('writes') as SharedArrayBuffer)[0])

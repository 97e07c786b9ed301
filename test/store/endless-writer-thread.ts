import { workerData } from 'node:worker_threads'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { leaveGap, writeBeginner } from '../../src/store/sqlite/write/gather-batch.ts'

/** What the thread shares with the test: how many batches it has written, and, when it is not 0, that there are enough. */
export interface EndlessWriting {
  readonly file: string
  readonly written: Int32Array
  readonly enough: Int32Array
}

/** Long enough for a gap. */
const BATCH_MS = 25

const { file, written, enough } = workerData as EndlessWriting
const connection = connect(file, 'write')
const begin = writeBeginner(connection)
const write = connection.prepare('UPDATE counter SET value = value + 1')
while (Atomics.load(enough, 0) === 0) {
  const began = begin()
  while (performance.now() - began < BATCH_MS) write.run()
  connection.exec('COMMIT')
  Atomics.add(written, 0, 1)
  leaveGap(began)
}
connection.close()

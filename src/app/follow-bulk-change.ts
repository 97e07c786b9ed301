import { setTimeout as wait } from 'node:timers/promises'
import { carryOn } from '../records/tasks/carry-out-task.ts'
import { isUnderWay, readTask, type TaskAddress, type TaskTold } from '../records/use-cases/bulk-tasks.ts'
import type { Services } from './open-services.ts'
import { bulkTurn } from './tend-bulk-changes.ts'

/** Milliseconds between looks at what another process does. */
const LOOK_MS = 500

/** Tells how far a change of many records is, until it is over; carries it out meanwhile, where no other process carries out changes. */
export async function* followBulkChange(services: Services, address: TaskAddress): AsyncGenerator<TaskTold> {
  const { records, kinds } = services
  const turn = bulkTurn(services)
  try {
    for (;;) {
      const task = await readTask(records, address.accountId, address.id)
      if (task === null) return
      yield task.told
      if (!isUnderWay(task.told)) return
      if (await turn.isOurs()) await turn.during(() => carryOn(records, kinds, address))
      else await wait(LOOK_MS)
    }
  } finally {
    await turn.end()
  }
}

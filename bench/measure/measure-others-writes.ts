import type { DataSet } from '../corpus/data-set.ts'
import { documentMaker, type Recipe } from '../corpus/documents.ts'
import { encodeRequest, runLoad } from '../load/loader.ts'
import { startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { median } from '../load/statistics.ts'
import { API, type Credentials, quarryOver } from '../servers/quarry.ts'
import type { ListWorkload } from '../workloads.ts'
import { askOnce } from './ask-once.ts'
import { onACopy } from './on-a-copy.ts'
import { runQuarry } from './run-command.ts'

/** What a list takes when nothing was written since it was asked before, and when another account has written a record. */
export interface ListAfterWrite {
  readonly id: string
  readonly beforeMs: number
  readonly afterMs: number
}

const TIMES = 60
const WARM_UP_OF_A_LIST = 300
const OTHER_USER = 'lab-0'

/** Asks lists in turn with private writes of another account, on a copy. The two kinds of answers take turns, so that a machine that drifts matters less. */
export function measureOthersWrites(
  { documents, credentials, dataDirectory: filled }: DataSet,
  recipe: Recipe,
  lists: readonly ListWorkload[],
  serveArguments: readonly string[],
): Promise<readonly ListAfterWrite[]> {
  return onACopy(filled, async ({ dataDirectory }) => {
    const token = ['token', 'create', '--user', OTHER_USER, '--json', '--data', dataDirectory]
    const other = JSON.parse((await runQuarry(token)).output) as Credentials
    const quarry = quarryOver({ dataDirectory, credentials, caches: false, symmetry: false, serveArguments })
    const { port, pids, stop } = await startServer(quarry.command)
    const { body } = documentMaker(recipe)
    let serial = documents
    const write = (): Promise<number> => {
      serial += 1
      const text = JSON.stringify({ ...body(serial), isPublic: false })
      return askOnce(port, { method: 'POST', target: `${API}/materials`, headers: { ...other }, body: text })
    }
    try {
      const measured: ListAfterWrite[] = []
      for (const list of lists) {
        const request = quarry.list(list)
        await runLoad({ port, requests: [encodeRequest(request)], connections: 1, count: WARM_UP_OF_A_LIST })
        await settle(pids)
        const [before, after]: [number[], number[]] = [[], []]
        for (let i = 0; i < TIMES; i += 1) {
          await write()
          after.push(await askOnce(port, request))
          before.push(await askOnce(port, request))
        }
        measured.push({ id: list.id, beforeMs: median(before), afterMs: median(after) })
      }
      return measured
    } finally {
      await stop()
    }
  })
}

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { documentMaker, type Recipe } from '../corpus/documents.ts'
import { encodeRequest, runLoad, type WireRequest } from '../load/loader.ts'
import { startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { median } from '../load/statistics.ts'
import { API, type Credentials, quarryOver } from '../servers/quarry.ts'
import type { ListWorkload } from '../workloads.ts'
import { runQuarry } from './run-command.ts'

/** What a list takes when nothing was written since it was asked before, and when another account has written a record. */
export interface ListAfterWrite {
  readonly id: string
  readonly beforeMs: number
  readonly afterMs: number
}

const TIMES = 60
const WARM_UP = 300
const OTHER_USER = 'lab-0'

/** Asks lists in turn with private writes of another account, on a copy. The two kinds of answers take turns, so that a machine that drifts matters less. */
export async function measureOthersWrites(
  dataSet: DataSet,
  recipe: Recipe,
  lists: readonly ListWorkload[],
  serveArguments: readonly string[],
): Promise<readonly ListAfterWrite[]> {
  const folder = mkdtempSync(join(dirname(dataSet.file), 'others-'))
  try {
    const dataDirectory = join(folder, 'data')
    cpSync(dataSet.dataDirectory, dataDirectory, { recursive: true })
    const token = ['token', 'create', '--user', OTHER_USER, '--json', '--data', dataDirectory]
    const other = JSON.parse((await runQuarry(token)).output) as Credentials
    const options = { dataDirectory, credentials: dataSet.credentials, caches: false, symmetry: false, serveArguments }
    const quarry = quarryOver(options)
    const server = await startServer(quarry.command)
    const { body } = documentMaker(recipe)
    let serial = dataSet.documents
    const once = async (request: WireRequest): Promise<number> => {
      const load = { port: server.port, requests: [encodeRequest(request)], connections: 1, count: 1 }
      return (await runLoad(load)).latenciesMs[0] ?? Number.NaN
    }
    const write = (): Promise<number> => {
      serial += 1
      const text = JSON.stringify({ ...body(serial), isPublic: false })
      return once({ method: 'POST', target: `${API}/materials`, headers: { ...other }, body: text })
    }
    try {
      const measured: ListAfterWrite[] = []
      for (const list of lists) {
        const request = quarry.list(list)
        if (request === null) continue
        await runLoad({ port: server.port, requests: [encodeRequest(request)], connections: 1, count: WARM_UP })
        await settle(server.pids)
        const [before, after]: [number[], number[]] = [[], []]
        for (let i = 0; i < TIMES; i += 1) {
          await write()
          after.push(await once(request))
          before.push(await once(request))
        }
        measured.push({ id: list.id, beforeMs: median(before), afterMs: median(after) })
      }
      return measured
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

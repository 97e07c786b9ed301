import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { documentMaker, type Recipe } from '../corpus/documents.ts'
import { encodeRequest, runLoad } from '../load/loader.ts'
import { startCpuClock } from '../load/process-figures.ts'
import { startServer } from '../load/server-process.ts'
import { median, percentile } from '../load/statistics.ts'
import { API, type Credentials, quarryOver } from '../servers/quarry.ts'
import type { RightAnswers } from './measure-server.ts'
import { type CommandFigures, runQuarry } from './run-command.ts'

/** What writing costs, all on copies of the data set. */
export interface WriteFigures {
  readonly create: { readonly cpuMs: number; readonly medianMs: number; readonly p99Ms: number }
  readonly import: { readonly documentsPerSecond: number; readonly peakMegabytes: number }
  readonly readsDuringImport: {
    readonly p99Ms: number
    readonly shareOfIdleRate: number
    readonly documentsPerSecond: number
  }
}

const CREATES = 200
const FEWEST_IMPORTED = 1000
const MOST_IMPORTED = 10_000
const READS_CONNECTIONS = 4
const WARM_UP_SECONDS = 1
const IDLE_READ_SECONDS = 3
const MORE_THAN_AN_IMPORT_LASTS = 100_000_000

/** Creates and imports materials that the data set does not hold yet; an import is a tenth of it, within bounds. */
export async function measureWrites(
  dataSet: DataSet,
  recipe: Recipe,
  right: RightAnswers,
  serveArguments: readonly string[],
): Promise<WriteFigures> {
  const folder = mkdtempSync(join(dirname(dataSet.file), 'writes-'))
  try {
    const dataDirectory = join(folder, 'data')
    cpSync(dataSet.dataDirectory, dataDirectory, { recursive: true })
    const { body } = documentMaker(recipe)
    const size = Math.min(MOST_IMPORTED, Math.max(FEWEST_IMPORTED, Math.ceil(dataSet.documents / 10)))
    const importFile = (name: string, first: number): string => {
      const lines = Array.from({ length: size }, (_, index) => JSON.stringify(body(first + index)))
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
      return join(folder, name)
    }
    const runImport = (file: string): Promise<CommandFigures> =>
      runQuarry(['import', file, '--user', 'bench', '--data', dataDirectory])

    const alone = await runImport(importFile('alone.ndjson', dataSet.documents))
    const quarry = quarryOver({ dataDirectory, credentials: dataSet.credentials, caches: false, serveArguments })
    const server = await startServer(quarry.command)
    try {
      const bodies = Array.from({ length: CREATES }, (_, index) => body(dataSet.documents + size + index))
      const create = await measureCreates(
        server,
        dataSet.credentials,
        bodies.map((one) => JSON.stringify(one)),
      )
      const file = importFile('beside.ndjson', dataSet.documents + size + CREATES)
      const reads = right.records.map(({ _id }) => encodeRequest(quarry.read(_id)))
      const beside = await readDuring(server.port, reads, () => runImport(file))
      return {
        create,
        import: { documentsPerSecond: size / alone.seconds, peakMegabytes: alone.peakMegabytes },
        readsDuringImport: { ...beside.reads, documentsPerSecond: size / beside.seconds },
      }
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One create after the other: each waits until the one before is on disk. */
async function measureCreates(
  { pid, port }: { readonly pid: number; readonly port: number },
  credentials: Credentials,
  bodies: readonly string[],
): Promise<WriteFigures['create']> {
  const requests = bodies.map((body) =>
    encodeRequest({ method: 'POST', target: `${API}/materials`, headers: { ...credentials }, body }),
  )
  const cpu = startCpuClock(pid)
  const { latenciesMs } = await runLoad({ port, requests, connections: 1, count: requests.length })
  return { cpuMs: cpu() / 1000 / bodies.length, medianMs: median(latenciesMs), p99Ms: percentile(latenciesMs, 0.99) }
}

/** Reads records by id while something runs, and compares with reading when nothing does. */
async function readDuring(port: number, requests: readonly Buffer[], work: () => Promise<CommandFigures>) {
  const read = (until: AbortSignal) =>
    runLoad({ port, requests, connections: READS_CONNECTIONS, count: MORE_THAN_AN_IMPORT_LASTS, until })
  const idleFor = (seconds: number) => read(AbortSignal.timeout(seconds * 1000))
  await idleFor(WARM_UP_SECONDS)
  const idle = await idleFor(IDLE_READ_SECONDS)
  const workEnds = new AbortController()
  const busyReads = read(workEnds.signal)
  const { seconds } = await work().finally(() => workEnds.abort())
  const busy = await busyReads
  const shareOfIdleRate = busy.answered / busy.seconds / (idle.answered / idle.seconds)
  return { seconds, reads: { p99Ms: percentile(busy.latenciesMs, 0.99), shareOfIdleRate } }
}

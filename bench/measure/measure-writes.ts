import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { documentMaker, type Recipe } from '../corpus/documents.ts'
import { encodeRequest, runLoad } from '../load/loader.ts'
import { startCpuClock, writtenKilobytes } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { median, percentile } from '../load/statistics.ts'
import { API, type Credentials, quarryOver } from '../servers/quarry.ts'
import type { RightAnswers } from './measure-server.ts'
import { type CommandFigures, runQuarry } from './run-command.ts'

/** What writing costs, all on a copy of the data set, once with the space group of every crystal and once without. */
export interface WriteFigures {
  readonly withSymmetry: WritesOfOneKind
  readonly withoutSymmetry: WritesOfOneKind
}

export interface WritesOfOneKind {
  readonly create: CreateFigures
  readonly import: {
    readonly documentsPerSecond: number
    readonly peakMegabytes: number
    /** How many of the stored crystals have no space group; null where none is sought. */
    readonly lackSymmetry: number | null
  }
  readonly readsDuringImport: {
    readonly p99Ms: number
    readonly shareOfIdleRate: number
    readonly documentsPerSecond: number
  }
}

/** Of one create after the other over HTTP. */
export interface CreateFigures {
  readonly cpuMs: number
  readonly writtenKilobytes: number
  readonly medianMs: number
  readonly p99Ms: number
}

const CREATES = 200
/** Creates that compile what all others use. */
const CREATES_BEFORE = 50
/** How much is imported, as a share of the data set, within bounds; the time that the command takes to start must not matter. */
const WITH_SYMMETRY = { share: 0.1, most: 10_000 }
const WITHOUT_SYMMETRY = { share: 0.5, most: 40_000 }
const FEWEST_IMPORTED = 1000
const READS_CONNECTIONS = 4
const WARM_UP_SECONDS = 1
const IDLE_READ_SECONDS = 3
const MORE_THAN_AN_IMPORT_LASTS = 100_000_000

/** Creates and imports materials that the data set does not hold yet. */
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
    let serial = dataSet.documents
    const newBodies = (count: number): readonly string[] =>
      Array.from({ length: count }, () => JSON.stringify(body(serial++)))
    const measureKind = async (symmetry: boolean): Promise<WritesOfOneKind> => {
      const { share, most } = symmetry ? WITH_SYMMETRY : WITHOUT_SYMMETRY
      const size = Math.min(most, Math.max(FEWEST_IMPORTED, Math.ceil(share * dataSet.documents)))
      const runImport = (): Promise<CommandFigures> => {
        const file = join(folder, `${serial}.ndjson`)
        writeFileSync(file, `${newBodies(size).join('\n')}\n`)
        const flags = symmetry ? [] : ['--no-symmetry']
        return runQuarry(['import', file, '--user', 'bench', '--data', dataDirectory, ...flags])
      }
      const alone = await runImport()
      const { credentials } = dataSet
      const quarry = quarryOver({ dataDirectory, credentials, caches: false, symmetry, serveArguments })
      const server = await startServer(quarry.command)
      try {
        await measureCreates(server, credentials, newBodies(CREATES_BEFORE))
        await settle(server.pids)
        const create = await measureCreates(server, credentials, newBodies(CREATES))
        const reads = right.records.map(({ _id }) => encodeRequest(quarry.read(_id)))
        const beside = await readDuring(server.port, reads, runImport)
        return {
          create,
          import: {
            documentsPerSecond: size / alone.seconds,
            peakMegabytes: alone.peakMegabytes,
            lackSymmetry: symmetry ? lackingSymmetry(alone.output, size) : null,
          },
          readsDuringImport: { ...beside.reads, documentsPerSecond: size / beside.seconds },
        }
      } finally {
        await server.stop()
      }
    }
    const withSymmetry = await measureKind(true)
    return { withSymmetry, withoutSymmetry: await measureKind(false) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads the last line of an import; fails when not everything was stored. */
function lackingSymmetry(output: string, size: number): number {
  const totals = /^(\d+) stored(?: \((\d+) of them without symmetry\))?, 0 skipped, 0 refused$/m.exec(output)
  if (Number(totals?.[1]) !== size) throw new Error(`an import of ${size} records ended with: ${output.slice(-300)}`)
  return Number(totals?.[2] ?? 0)
}

/** Bodies of materials behind those of a data set: of creates that compile what all others use, and of those that are timed. */
export function createBodies({ body }: ReturnType<typeof documentMaker>, documents: number) {
  const bodies = Array.from({ length: CREATES_BEFORE + CREATES }, (_, at) => JSON.stringify(body(documents + at)))
  return { warming: bodies.slice(0, CREATES_BEFORE), timed: bodies.slice(CREATES_BEFORE) }
}

/** One create after the other: each waits until the one before is on disk. */
export async function measureCreates(
  { pid, pids, port }: RunningServer,
  credentials: Credentials,
  bodies: readonly string[],
): Promise<CreateFigures> {
  const requests = bodies.map((body) =>
    encodeRequest({ method: 'POST', target: `${API}/materials`, headers: { ...credentials }, body }),
  )
  const [cpu, written] = [startCpuClock(pids), writtenKilobytes(pid)]
  const { latenciesMs } = await runLoad({ port, requests, connections: 1, count: requests.length })
  return {
    cpuMs: cpu() / 1000 / bodies.length,
    writtenKilobytes: (writtenKilobytes(pid) - written) / bodies.length,
    medianMs: median(latenciesMs),
    p99Ms: percentile(latenciesMs, 0.99),
  }
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

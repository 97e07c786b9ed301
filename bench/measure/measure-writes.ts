import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { documentMaker, type Recipe } from '../corpus/documents.ts'
import { encodeRequest, runLoad } from '../load/loader.ts'
import { startCpuClock, writtenKilobytes } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { median, percentile } from '../load/statistics.ts'
import { API, type Credentials, quarryOver } from '../servers/quarry.ts'
import { askBeside } from './ask-once.ts'
import { type RightAnswers, WARM_UP } from './measure-server.ts'
import { type Copy, onACopy } from './on-a-copy.ts'
import { runQuarry } from './run-command.ts'

/** What writing costs, all on a copy of the data set, once with the space group of every crystal and once without. */
export interface WriteFigures {
  readonly withSymmetry: WritesOfOneKind
  readonly withoutSymmetry: WritesOfOneKind
}

export interface WritesOfOneKind {
  readonly create: CreateFigures
  /** CPU milliseconds of the first create of a server, and of one of those around the twentieth. */
  readonly firstCreates: { readonly first: number; readonly twentieth: number }
  readonly import: ImportFigures
  readonly readsDuringImport: {
    readonly p99Ms: number
    readonly worstMs: number
    readonly shareOfIdleRate: number
    readonly documentsPerSecond: number
  }
}

/** Of one `quarry import`. */
export interface ImportFigures {
  readonly documents: number
  /** When all of them can be read. */
  readonly documentsPerSecond: number
  /** When a server that is started afterwards has nothing more to do either: its start, and what the import left to it. */
  readonly documentsPerSecondWithAll: number
  readonly peakMegabytes: number
  /** How many of the stored crystals have no space group; null where none is sought. */
  readonly lackSymmetry: number | null
}

/** Of one create after the other over HTTP. */
export interface CreateFigures {
  readonly cpuMs: number
  readonly writtenKilobytes: number
  readonly medianMs: number
  readonly p99Ms: number
}

const CREATES = 200
/** The creates whose mean is that of the twentieth: one by itself is as exact as a clock tick. */
const AROUND_THE_TWENTIETH = { after: 14, count: 11 }
/** Creates that compile what all others use. */
const CREATES_BEFORE = 200
/** As many as a screening study has; no more than the data set, and a part of it beside reads. */
const IMPORTED = 20_000
const SHARE_BESIDE_READS = 1 / 4
const READS_CONNECTIONS = 4
const IDLE_READS = 20_000

/** A server that is written to, and what has not been written yet. */
interface Place extends Copy {
  readonly credentials: Credentials
  readonly symmetry: boolean
  readonly serveArguments: readonly string[]
  readonly newBodies: (count: number) => readonly string[]
}

/** Creates and imports materials that the data set does not hold yet. */
export function measureWrites(
  dataSet: DataSet,
  recipe: Recipe,
  right: RightAnswers,
  serveArguments: readonly string[],
): Promise<WriteFigures> {
  const { documents, credentials } = dataSet
  const { body } = documentMaker(recipe)
  let serial = documents
  const newBodies = (count: number): readonly string[] =>
    Array.from({ length: count }, () => JSON.stringify(body(serial++)))
  const size = Math.min(IMPORTED, documents)
  return onACopy(dataSet.dataDirectory, async (copy) => {
    const place = { ...copy, credentials, serveArguments, newBodies }
    const withSymmetry = await measureKind({ ...place, symmetry: true }, right, size)
    return { withSymmetry, withoutSymmetry: await measureKind({ ...place, symmetry: false }, right, size) }
  })
}

async function measureKind(place: Place, right: RightAnswers, size: number): Promise<WritesOfOneKind> {
  const { credentials, newBodies } = place
  const alone = await importDocuments(place, size)
  const quarry = quarryOver({ ...place, caches: false })
  const server = await startServer(quarry.command)
  try {
    const leftMs = server.startMs + (await settle(server.pids))
    const firstCreates = await measureFirstCreates(server, place)
    await measureCreates(server, credentials, newBodies(CREATES_BEFORE))
    await settle(server.pids)
    const create = await measureCreates(server, credentials, newBodies(CREATES))
    const reads = right.records.map(({ _id }) => encodeRequest(quarry.read(_id)))
    return {
      create,
      firstCreates,
      import: {
        documents: size,
        documentsPerSecond: size / alone.seconds,
        documentsPerSecondWithAll: size / (alone.seconds + leftMs / 1000),
        peakMegabytes: alone.peakMegabytes,
        lackSymmetry: place.symmetry ? alone.lackSymmetry : null,
      },
      readsDuringImport: await readDuringImport(server.port, reads, place, Math.ceil(size * SHARE_BESIDE_READS)),
    }
  } finally {
    await server.stop()
  }
}

async function importDocuments({ folder, dataDirectory, symmetry, newBodies }: Place, size: number) {
  const file = join(folder, 'import.ndjson')
  writeFileSync(file, `${newBodies(size).join('\n')}\n`)
  const flags = symmetry ? [] : ['--no-symmetry']
  const { seconds, peakMegabytes, output } = await runQuarry([
    'import',
    file,
    '--user',
    'bench',
    '--data',
    dataDirectory,
    ...flags,
  ])
  return { seconds, peakMegabytes, lackSymmetry: lackingSymmetry(output, size) }
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

async function measureFirstCreates(server: RunningServer, { credentials, newBodies }: Place) {
  const measure = (count: number) => measureCreates(server, credentials, newBodies(count))
  const { cpuMs: first } = await measure(1)
  await measure(AROUND_THE_TWENTIETH.after - 1)
  const { cpuMs: twentieth } = await measure(AROUND_THE_TWENTIETH.count)
  return { first, twentieth }
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

/** Reads records by id while an import runs, and compares with reading when nothing does. */
async function readDuringImport(port: number, requests: readonly Buffer[], place: Place, size: number) {
  const load = { port, requests, connections: READS_CONNECTIONS }
  await runLoad({ ...load, count: WARM_UP })
  const idle = await runLoad({ ...load, count: IDLE_READS })
  const { result, beside } = await askBeside(load, () => importDocuments(place, size))
  return {
    p99Ms: percentile(beside.latenciesMs, 0.99),
    worstMs: percentile(beside.latenciesMs, 1),
    shareOfIdleRate: beside.answered / beside.seconds / (idle.answered / idle.seconds),
    documentsPerSecond: size / result.seconds,
  }
}

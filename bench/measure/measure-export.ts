import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { residentMegabytes } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import type { Contestant } from '../servers/contestant.ts'
import { API, type Credentials } from '../servers/quarry.ts'
import { runQuarry } from './run-command.ts'

/** What an export of all that the asker sees takes; memory must not grow with the data. */
export interface ExportFigures {
  readonly documents: number
  readonly documentsPerSecond: number
  readonly peakMegabytes: number
  /** What an export over HTTP adds to the memory of a server that has been asked before. */
  readonly addedMegabytes: number
}

/** Exports everything with the command line, then over HTTP. */
export async function measureExport(dataSet: DataSet, quarry: Contestant): Promise<ExportFigures> {
  const server = await startServer(quarry.command)
  try {
    const addedMegabytes = await exportOverHttp(server, dataSet.credentials)
    return { ...(await exportByCommand(dataSet)), addedMegabytes }
  } finally {
    await server.stop()
  }
}

async function exportByCommand({ file, dataDirectory }: DataSet): Promise<Omit<ExportFigures, 'addedMegabytes'>> {
  const folder = await mkdtemp(join(dirname(file), 'export-'))
  try {
    const target = join(folder, 'materials.ndjson')
    const scope = ['--kind', 'materials', '--user', 'bench', '--data', dataDirectory]
    const { seconds, peakMegabytes } = await runQuarry(['export', ...scope, '-o', target])
    const documents = await countLines(target)
    return { documents, documentsPerSecond: documents / seconds, peakMegabytes }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const WARM_UP_BYTES = 20_000_000
const LOOK_MS = 50

/** A first part of an export makes what is made once: threads, statements, compiled code. */
async function exportOverHttp({ pid, port }: RunningServer, credentials: Credentials): Promise<number> {
  const headers = { ...credentials }
  const url = `http://127.0.0.1:${port}${API}/materials/export`
  await readSome(await fetch(url, { headers }), WARM_UP_BYTES)
  const before = residentMegabytes(pid).now
  let most = before
  const look = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid).now)
  }, LOOK_MS)
  try {
    await readSome(await fetch(url, { headers }), Number.POSITIVE_INFINITY)
  } finally {
    clearInterval(look)
  }
  return most - before
}

async function readSome(response: Response, most: number): Promise<void> {
  if (!response.ok || response.body === null) throw new Error(`the export answered ${response.status}`)
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += (chunk as Uint8Array).length
    if (bytes >= most) break
  }
}

async function countLines(file: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(file)) for (const byte of chunk as Buffer) if (byte === 10) lines += 1
  return lines
}

import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { residentMegabytes } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import type { Contestant } from '../servers/contestant.ts'
import { API, type Credentials } from '../servers/quarry.ts'
import { runQuarry } from './run-command.ts'

/** What an export of all that the requester sees takes; memory must not grow with the data. */
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

const LINE_END = 10
const WARM_UP_BYTES = 20_000_000
const LOOK_MS = 50

/** A first part of an export makes what is made once: threads, statements, compiled code. What is merged after a load is no part of it. */
async function exportOverHttp({ pid, pids, port }: RunningServer, credentials: Credentials): Promise<number> {
  const read = (most: number) => readExport(port, { ...credentials }, most)
  await read(WARM_UP_BYTES)
  await settle(pids)
  const before = residentMegabytes(pid).now
  let most = before
  const look = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid).now)
  }, LOOK_MS)
  try {
    await read(Number.POSITIVE_INFINITY)
  } finally {
    clearInterval(look)
  }
  return most - before
}

/** Throws the bytes away as they come, so that the server is what is slow; hangs up after `most` of them. */
function readExport(port: number, headers: { readonly [name: string]: string }, most: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: `${API}/materials/export`, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the export answered ${response.statusCode}`))
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes < most) return
        resolve()
        request.destroy()
      })
      response.on('end', resolve)
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

async function countLines(file: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(file)) {
    for (let at = (chunk as Buffer).indexOf(LINE_END); at >= 0; at = (chunk as Buffer).indexOf(LINE_END, at + 1))
      lines += 1
  }
  return lines
}

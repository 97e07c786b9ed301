import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { runQuarry } from './run-command.ts'

/** What an export of all that the asker sees takes; memory must not grow with the data. */
export interface ExportFigures {
  readonly documents: number
  readonly documentsPerSecond: number
  readonly peakMegabytes: number
}

export async function measureExport({ file, dataDirectory }: DataSet): Promise<ExportFigures> {
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

async function countLines(file: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(file)) for (const byte of chunk as Buffer) if (byte === 10) lines += 1
  return lines
}

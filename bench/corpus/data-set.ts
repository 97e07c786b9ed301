import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Credentials } from '../servers/quarry.ts'
import { documentMaker, lineOf, type Recipe } from './documents.ts'
import { fingerprintOf } from './fingerprint.ts'

/** A data set on disk, ready for every server. */
export interface DataSet {
  readonly documents: number
  /** One `BenchRecord` a line. */
  readonly file: string
  /** Quarry's data directory with the same records. */
  readonly dataDirectory: string
  /** Of the requester, who owns half of the records. */
  readonly credentials: Credentials
  readonly load: LoadFigures
}

/** How the records went into Quarry's store. */
export interface LoadFigures {
  readonly documents: number
  readonly documentsPerSecond: number
  /** CPU time of all threads for one document. */
  readonly cpuMicros: number
  /** What the disk was given to write, for one document. */
  readonly writtenKilobytes: number
  readonly peakMegabytes: number
  readonly fileMegabytes: number
  readonly meanBytes: number
}

/** What `fill-store.ts` is asked for. */
export interface Filling {
  readonly seed: number
  readonly most: number
  /** Without it, records have the owners that the data set says. */
  readonly homes?: Homes
}

/** Many accounts with few records each, beside one that has the rest. */
export interface Homes {
  readonly others: number
  readonly each: number
}

/** What `fill-store.ts` hands back. */
export interface FilledStore {
  /** Of the first owner. */
  readonly credentials: Credentials
  /** Of all others, where there are many homes. */
  readonly others: readonly Credentials[]
  /** Some records of the first owner. */
  readonly ids: readonly string[]
  readonly load: LoadFigures
}

export type Say = (line: string) => void

/** Where data sets are kept unless the command line says otherwise. */
export const CACHE = fileURLToPath(new URL('../.cache/', import.meta.url))
const FILL = fileURLToPath(new URL('./fill-store.ts', import.meta.url))

/** What decides how documents look, and how the store keeps them: a data set made by other code is made anew. */
export const DOCUMENT_SOURCES = ['.', '../../samples/materials', '../../src/records/kinds', '../../src/structure'].map(
  besideThis,
)
export const STORE_SOURCES = ['store/sqlite', 'store/segments', 'store/changes', 'engine'].map((folder) =>
  besideThis(`../../src/${folder}`),
)

/** Makes a data set and fills a store with it, or finds both where an earlier run left them. */
export async function prepareDataSet(recipe: Recipe, documents: number, scratch: string, say: Say): Promise<DataSet> {
  const folder = join(scratch, `seed-${recipe.seed}-documents-${documents}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'documents.ndjson')
  const documentSources = fingerprintOf(DOCUMENT_SOURCES)
  await unlessMade(file, documentSources, async (unfinished) => {
    say(`making ${documents} documents`)
    await pipeline(Readable.from(recordLines(recipe, documents)), createWriteStream(unfinished))
  })
  const store = join(folder, 'store')
  await unlessMade(store, documentSources + fingerprintOf(STORE_SOURCES), async (unfinished) => {
    say('loading them into Quarry')
    mkdirSync(unfinished)
    const filled = await fillStore(file, join(unfinished, 'data'), { seed: recipe.seed, most: documents })
    writeFileSync(join(unfinished, 'filled.json'), filled, { mode: 0o600 })
  })
  const filled: FilledStore = JSON.parse(readFileSync(join(store, 'filled.json'), 'utf8'))
  return { documents, file, dataDirectory: join(store, 'data'), ...filled }
}

/** 2,000 accounts of 50 records and one of 100,000; less of them for a data set of fewer than 20,000 documents. */
export interface ManyHomes extends FilledStore {
  readonly dataDirectory: string
}

const HOMES = { others: 2000, each: 50, rest: 100_000 }
const DOCUMENTS_FOR_ALL = 20_000

/** Fills a store with many homes, or finds it where an earlier run left it. */
export async function prepareHomes({ file, documents }: DataSet, seed: number, say: Say): Promise<ManyHomes> {
  const share = Math.min(1, documents / DOCUMENTS_FOR_ALL)
  const homes = { others: Math.ceil(HOMES.others * share), each: HOMES.each }
  const most = homes.others * homes.each + Math.ceil(HOMES.rest * share)
  const folder = join(dirname(file), 'homes')
  await unlessMade(folder, fingerprintOf([...DOCUMENT_SOURCES, ...STORE_SOURCES]), async (unfinished) => {
    say(`loading ${most} documents for ${homes.others + 1} accounts`)
    mkdirSync(unfinished)
    const filled = await fillStore(file, join(unfinished, 'data'), { seed, most, homes })
    writeFileSync(join(unfinished, 'filled.json'), filled, { mode: 0o600 })
  })
  const filled: FilledStore = JSON.parse(readFileSync(join(folder, 'filled.json'), 'utf8'))
  return { ...filled, dataDirectory: join(folder, 'data') }
}

/** Makes a file or folder under another name first, so that what a broken run left is never taken for whole. */
export async function unlessMade(
  target: string,
  sources: string,
  make: (unfinished: string) => Promise<void>,
): Promise<void> {
  const mark = `${target}.sources`
  if (existsSync(target) && existsSync(mark) && readFileSync(mark, 'utf8') === sources) return
  const unfinished = `${target}.unfinished`
  for (const path of [mark, target, unfinished]) rmSync(path, { recursive: true, force: true })
  await make(unfinished)
  renameSync(unfinished, target)
  writeFileSync(mark, sources)
}

function besideThis(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

async function* recordLines(recipe: Recipe, documents: number): AsyncGenerator<string> {
  const { record } = documentMaker(recipe)
  for (let serial = 0; serial < documents; serial += 1) yield lineOf(await record(serial))
}

/** Runs the filling in a process of its own, so that its memory is its own too; gives a `FilledStore` as JSON. */
export function fillStore(file: string, place: string, filling: Filling): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', FILL, file, place, JSON.stringify(filling)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`filling the store ended with ${code}`)),
    )
  })
}

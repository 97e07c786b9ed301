import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { SCHEMA_VERSION } from '../../src/store/sqlite/schema/migrate.ts'
import type { Credentials } from '../servers/quarry.ts'
import { documentMaker, lineOf, type Recipe } from './documents.ts'

/** A data set on disk, ready for every server. */
export interface DataSet {
  readonly documents: number
  /** One `BenchRecord` a line. */
  readonly file: string
  /** Quarry's data directory with the same records. */
  readonly dataDirectory: string
  /** Of the asker, who owns half of the records. */
  readonly credentials: Credentials
  readonly load: LoadFigures
}

/** How the records went into Quarry's store. */
export interface LoadFigures {
  readonly documentsPerSecond: number
  readonly peakMegabytes: number
  readonly fileMegabytes: number
  readonly meanBytes: number
}

/** What `fill-store.ts` hands back. */
export interface FilledStore {
  readonly credentials: Credentials
  readonly load: LoadFigures
}

export type Say = (line: string) => void

/** Grows with every change of what `documents.ts` makes, so that no old file is used. */
const DATA_VERSION = 1
const CACHE = fileURLToPath(new URL('../.cache/', import.meta.url))
const FILL = fileURLToPath(new URL('./fill-store.ts', import.meta.url))

/** Makes a data set and fills a store with it, or finds both where an earlier run left them. */
export async function prepareDataSet(recipe: Recipe, documents: number, say: Say): Promise<DataSet> {
  const folder = join(CACHE, `seed-${recipe.seed}-documents-${documents}-version-${DATA_VERSION}.${SCHEMA_VERSION}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'documents.ndjson')
  await onlyOnce(file, async (unfinished) => {
    say(`making ${documents} documents`)
    await pipeline(Readable.from(recordLines(recipe, documents)), createWriteStream(unfinished))
  })
  const store = join(folder, 'store')
  await onlyOnce(store, async (unfinished) => {
    say('loading them into Quarry')
    mkdirSync(unfinished)
    const filled = await fillStore(file, join(unfinished, 'data'), recipe.seed)
    writeFileSync(join(unfinished, 'filled.json'), filled, { mode: 0o600 })
  })
  const filled: FilledStore = JSON.parse(readFileSync(join(store, 'filled.json'), 'utf8'))
  return { documents, file, dataDirectory: join(store, 'data'), ...filled }
}

/** Makes a file or folder under another name first, so that what a broken run left is never taken for whole. */
async function onlyOnce(target: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(target)) return
  const unfinished = `${target}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  await make(unfinished)
  renameSync(unfinished, target)
}

function* recordLines(recipe: Recipe, documents: number): Generator<string> {
  const { record } = documentMaker(recipe)
  for (let serial = 0; serial < documents; serial += 1) yield lineOf(record(serial))
}

/** Runs the filling in a process of its own, so that its memory is its own too; gives a `FilledStore` as JSON. */
function fillStore(file: string, dataDirectory: string, seed: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', FILL, file, dataDirectory, String(seed)]
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

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../kernel/json.ts'

/** One record of the library of samples; its key is the name of its file. */
export interface Sample {
  readonly key: string
  readonly document: JsonObject
}

/** The library that comes with the program, beside `src` or `dist`. */
export const SAMPLES_DIRECTORY = fileURLToPath(new URL('../../samples/', import.meta.url))

/** Reads the samples of one collection, in the order of their keys; a collection without a folder has none. */
export function readSamples(collection: string, directory: string = SAMPLES_DIRECTORY): readonly Sample[] {
  const folder = join(directory, collection)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().map((file) => ({
    key: basename(file, '.json'),
    document: JSON.parse(readFileSync(join(folder, file), 'utf8')),
  }))
}

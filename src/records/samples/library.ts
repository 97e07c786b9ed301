import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalFile } from '../../calculations/runs/output-file.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { projectFile } from '../../kernel/project-files.ts'
import { contentId } from '../ids.ts'
import type { RecordKind } from '../record-kind.ts'

/** One record of the library of samples; its key is the name of its file. */
export interface Sample {
  readonly key: string
  readonly document: JsonObject
}

export const SAMPLES_DIRECTORY = fileURLToPath(projectFile('samples/'))

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

/** The id of a sample, the same in every store. */
export function sampleId(kind: RecordKind, key: string): string {
  return contentId('samples', kind.collection, key)
}

/** A folder of inputs and outputs of a simulation code, which are read as those of anybody are. */
export interface SampleRun {
  readonly key: string
  readonly files: readonly LocalFile[]
}

/** Finds the runs of the library, in the order of their keys. */
export function sampleRuns(directory: string = SAMPLES_DIRECTORY): readonly SampleRun[] {
  const folder = join(directory, 'calculations')
  if (!existsSync(folder)) return []
  const keys = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return keys
    .map(({ name: key }) => key)
    .sort()
    .map((key) => ({
      key,
      files: readdirSync(join(folder, key))
        .sort()
        .map((name) => ({ name, path: join(folder, key, name) })),
    }))
}

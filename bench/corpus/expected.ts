import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { BenchDocument, ListWorkload } from '../workloads.ts'

/** A line of a data set's file. */
export interface BenchRecord {
  readonly id: string
  readonly accountId: string
  readonly isPublic: boolean
  readonly document: BenchDocument
}

/** The right answer to a list workload, found by plain code over the data set. */
export interface Expected {
  readonly documents: readonly BenchDocument[]
  /** How many documents match before skip and limit. */
  readonly matches: number
}

/** Whose view of the data set: the asker's, or that of a server without accounts. */
export type View = (record: BenchRecord) => boolean

/** A stream of the lines of a data set's file, parsed. */
export async function* readRecords(file: string): AsyncGenerator<BenchRecord> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    yield JSON.parse(line) as BenchRecord
  }
}

/** A spread of the documents that a view shows, for reads by id. */
export async function sampleDocuments(
  file: string,
  documents: number,
  wanted: number,
  view: View,
): Promise<BenchDocument[]> {
  const step = Math.max(1, Math.floor(documents / (2 * wanted)))
  const sample: BenchDocument[] = []
  let line = 0
  for await (const record of readRecords(file)) {
    if (line++ % step !== 0 || !view(record)) continue
    if (sample.push(record.document) === wanted) break
  }
  return sample
}

/** Answers all workloads in one pass over the file; memory is bounded by what their pages reach. */
export async function expectedAnswers(
  file: string,
  workloads: readonly ListWorkload[],
  view: View,
): Promise<ReadonlyMap<string, Expected>> {
  const collectors = workloads.map((workload) => ({ workload, best: new Best(workload), matches: 0 }))
  for await (const record of readRecords(file)) {
    if (!view(record)) continue
    const document = record.document
    for (const collector of collectors) {
      if (!collector.workload.selects(document)) continue
      collector.matches += 1
      collector.best.add(document)
    }
  }
  return new Map(
    collectors.map(({ workload, best, matches }) => [workload.id, { documents: best.page(), matches }] as const),
  )
}

/** Keeps the first `skip + limit` documents of an order. */
class Best {
  readonly #workload: ListWorkload
  readonly #reach: number
  #kept: BenchDocument[] = []

  constructor(workload: ListWorkload) {
    this.#workload = workload
    this.#reach = (workload.projection.skip ?? 0) + workload.projection.limit
  }

  add(document: BenchDocument): void {
    this.#kept.push(document)
    if (this.#kept.length >= 2 * this.#reach + 1000) this.#trim()
  }

  page(): readonly BenchDocument[] {
    this.#trim()
    return this.#kept.slice(this.#workload.projection.skip ?? 0)
  }

  /** `sort` is stable, so ties stay in the order of insertion. */
  #trim(): void {
    const keys = Object.entries(this.#workload.projection.sort)
    this.#kept.sort((a, b) => {
      for (const [path, direction] of keys) {
        const [x, y] = [valueAt(a, path), valueAt(b, path)]
        if (x !== y) return x < y ? -direction : direction
      }
      return 0
    })
    this.#kept = this.#kept.slice(0, this.#reach)
  }
}

/** Reads a number or text that every document has. */
function valueAt(document: JsonObject, path: string): string | number {
  let value: Json | undefined = document
  for (const step of path.split('.')) value = (value as JsonObject | undefined)?.[step]
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`no scalar at ${path}`)
  return value
}

/** The part of a document that a projection of plain paths keeps, `_id` included. */
export function pick(document: JsonObject, fields: { readonly [path: string]: 1 } | undefined): JsonObject {
  if (fields === undefined) return document
  const kept: Record<string, Json> = { _id: document._id ?? null }
  for (const path of Object.keys(fields)) {
    const [first = '', second] = path.split('.')
    if (second === undefined) kept[first] = document[first] ?? null
    else kept[first] = { ...(kept[first] as JsonObject), [second]: (document[first] as JsonObject)[second] ?? null }
  }
  return kept
}

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

/** Whose view of the data set: the requester's, or that of a server without accounts. */
export type View = (record: BenchRecord) => boolean

/** A stream of the lines of a data set's file, parsed. */
export async function* readRecords(file: string): AsyncGenerator<BenchRecord> {
  for await (const line of readLines(file)) yield JSON.parse(line) as BenchRecord
}

/** The lines of a data set's file. */
export function readLines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
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

/** Answers all workloads: one pass over the file finds the pages, another one their documents. */
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
  const pages = collectors.map(({ workload, best, matches }) => ({ id: workload.id, matches, page: best.page() }))
  const documents = await documentsWith(file, new Set(pages.flatMap(({ page }) => page)))
  return new Map(
    pages.map(({ id, matches, page }) => [id, { matches, documents: page.map((one) => documentOf(documents, one)) }]),
  )
}

async function documentsWith(file: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, BenchDocument>> {
  const found = new Map<string, BenchDocument>()
  for await (const line of readLines(file)) {
    const id = /^\{"id":"([^"]*)"/.exec(line)?.[1] ?? ''
    if (ids.has(id)) found.set(id, (JSON.parse(line) as BenchRecord).document)
  }
  return found
}

function documentOf(documents: ReadonlyMap<string, BenchDocument>, id: string): BenchDocument {
  const document = documents.get(id)
  if (document === undefined) throw new Error(`the data set has no document ${id}`)
  return document
}

interface Place {
  readonly id: string
  readonly keys: readonly (string | number)[]
}

/** Keeps where the first `skip + limit` documents of an order stand. */
class Best {
  readonly #workload: ListWorkload
  readonly #reach: number
  readonly #paths: readonly (readonly string[])[]
  readonly #directions: readonly (1 | -1)[]
  #kept: Place[] = []
  /** The last place of those that there can be; null until there are as many. */
  #last: Place | null = null

  constructor(workload: ListWorkload) {
    const { skip = 0, limit, sort } = workload.projection
    this.#workload = workload
    this.#reach = skip + limit
    this.#paths = Object.keys(sort).map((path) => path.split('.'))
    this.#directions = Object.values(sort)
  }

  add(document: BenchDocument): void {
    const place = { id: document._id, keys: this.#paths.map((path) => valueAt(document, path)) }
    // Ties stay in the order of insertion.
    if (this.#last !== null && this.#compare(place, this.#last) >= 0) return
    this.#kept.push(place)
    if (this.#kept.length >= 2 * this.#reach + 1000) this.#trim()
  }

  /** The ids of the page. */
  page(): readonly string[] {
    this.#trim()
    return this.#kept.slice(this.#workload.projection.skip ?? 0).map(({ id }) => id)
  }

  /** `sort` is stable. */
  #trim(): void {
    this.#kept = this.#kept.sort((a, b) => this.#compare(a, b)).slice(0, this.#reach)
    this.#last = this.#kept[this.#reach - 1] ?? null
  }

  #compare(a: Place, b: Place): number {
    for (let at = 0; at < this.#directions.length; at += 1) {
      const [x = 0, y = 0, direction = 1] = [a.keys[at], b.keys[at], this.#directions[at]]
      if (x !== y) return x < y ? -direction : direction
    }
    return 0
  }
}

/** Reads a number or text that every document has. */
function valueAt(document: JsonObject, path: readonly string[]): string | number {
  let value: Json | undefined = document
  for (const step of path) value = (value as JsonObject | undefined)?.[step]
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`no scalar at ${path.join('.')}`)
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

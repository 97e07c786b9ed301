import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { any, type FilterNode, isOneOf } from '../../query/ast/filter.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import { type AttachedFile, FILES_FIELD, filesOf } from '../attached-files.ts'
import { splitLines } from '../import/split-items.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { jobKind, methodKind } from '../kinds/plain-kinds.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import { referencesOf } from '../kinds/property/references.ts'
import type { RecordKind, ScopedCollection } from '../record-kind.ts'
import { exportRecords } from '../use-cases/read-records.ts'
import type { RecordDeps } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import type { FilesOwner } from './manifest.ts'

/** A file of records, whose lines have to be read to their end before the next part is asked for; or a file of one of these records. */
export type ExportPart =
  | { readonly name: string; readonly collection: string; readonly lines: AsyncIterable<Uint8Array> }
  | { readonly owner: FilesOwner; readonly file: AttachedFile }

/** Selection of records to export. */
export interface ExportTerms {
  readonly deps: Pick<RecordDeps, 'store' | 'work'>
  readonly session: ScopedCollection['session']
  /** Kinds of which records are selected. */
  readonly kinds: readonly RecordKind[]
  readonly request: Pick<ListRequest, 'filter' | 'sort'>
  /** Whether what belongs to the selected materials and jobs comes along: their properties, jobs and methods, and the materials that these name. */
  readonly related: boolean
  readonly files: boolean
}

/** Ids in one condition. */
const IDS_TOGETHER = 200
/** Files of one file of records; they come behind it, and with more of them the records go on in another one. */
const FILES_TOGETHER = 10_000

const NEWLINE = Buffer.from('\n')

/** Gives the records that are selected, what belongs to them, and the files of all: records of each kind before their files. Nothing but ids is kept. */
export async function* exportParts(terms: ExportTerms): AsyncGenerator<ExportPart> {
  const records = new ExportedRecords(terms)
  const { filter, sort } = terms.request
  for (const kind of terms.kinds) yield* records.parts(kind, [filter], sort)
  if (terms.related) yield* relatedParts(records)
}

async function* relatedParts(records: ExportedRecords): AsyncGenerator<ExportPart> {
  const [materials, jobs] = [records.of(materialKind), records.of(jobKind)]
  yield* records.parts(propertyKind, [
    ...conditions(materials, (ids) => isOneOf('exabyteId', ids)),
    ...conditions(jobs, (ids) => isOneOf('source.info.jobId', ids)),
  ])
  yield* records.parts(jobKind, [
    ...conditions(materials, (ids) => any(isOneOf('_material._id', ids), isOneOf('_materials._id', ids))),
    ...conditions(records.named(jobKind), isOneOfIds),
  ])
  for (const kind of [methodKind, materialKind]) yield* records.parts(kind, conditions(records.named(kind), isOneOfIds))
}

function isOneOfIds(ids: readonly string[]): FilterNode {
  return isOneOf('_id', ids)
}

function conditions(
  ids: readonly string[],
  conditionOf: (ids: readonly string[]) => FilterNode,
): readonly FilterNode[] {
  const batches = Array.from({ length: Math.ceil(ids.length / IDS_TOGETHER) }, (_, at) => at * IDS_TOGETHER)
  return batches.map((from) => conditionOf(ids.slice(from, from + IDS_TOGETHER)))
}

/** Records that have been exported, by their ids, and those that they name. */
class ExportedRecords {
  readonly #terms: ExportTerms
  readonly #exported = new IdsOfCollections()
  readonly #named = new IdsOfCollections()
  readonly #counts = new Map<string, number>()

  constructor(terms: ExportTerms) {
    this.#terms = terms
  }

  of({ collection }: RecordKind): readonly string[] {
    return [...this.#exported.of(collection)]
  }

  /** Records that exported ones name and that are not among these. */
  named({ collection }: RecordKind): readonly string[] {
    const exported = this.#exported.of(collection)
    return [...this.#named.of(collection)].filter((id) => !exported.has(id))
  }

  /** Gives the records of a kind that meet one of some conditions, each once. */
  async *parts(
    kind: RecordKind,
    filters: readonly FilterNode[],
    sort: ListRequest['sort'] = [],
  ): AsyncGenerator<ExportPart> {
    const lines = new NextLine(this.#linesOf(kind, filters, sort))
    const { collection } = kind
    try {
      while ((await lines.peek()) !== null) {
        const listed: (readonly [FilesOwner, readonly AttachedFile[]])[] = []
        yield { name: this.#nameOf(collection), collection, lines: this.#part(collection, lines, listed) }
        for (const [owner, files] of listed) for (const file of files) yield { owner, file }
      }
    } finally {
      await lines.end()
    }
  }

  #nameOf(collection: string): string {
    const count = (this.#counts.get(collection) ?? 0) + 1
    this.#counts.set(collection, count)
    return count === 1 ? `${collection}.ndjson` : `${collection}-${count}.ndjson`
  }

  async *#linesOf(
    kind: RecordKind,
    filters: readonly FilterNode[],
    sort: ListRequest['sort'],
  ): AsyncGenerator<Uint8Array> {
    const { deps, session } = this.#terms
    for (const filter of filters) {
      const asked = { filter, sort, fields: null, skip: 0, limit: 1 }
      for await (const item of splitLines(exportRecords({ deps, kind, session }, asked), Number.MAX_VALUE)) {
        if ('json' in item && this.#exported.add(kind.collection, idOf(item.json))) yield item.json
      }
    }
  }

  async *#part(
    collection: string,
    lines: NextLine,
    listed: (readonly [FilesOwner, readonly AttachedFile[]])[],
  ): AsyncGenerator<Uint8Array> {
    let count = 0
    while (count < FILES_TOGETHER) {
      const line = await lines.take()
      if (line === null) return
      const files = await this.#note(collection, line)
      if (files.length > 0) listed.push([{ collection, id: idOf(line) }, files])
      count += files.length
      yield line
      yield NEWLINE
    }
  }

  /** Notes which records a record names; gives its files. */
  async #note(collection: string, line: Buffer): Promise<readonly AttachedFile[]> {
    const { deps, session, related, files } = this.#terms
    const names = related && NAMING.has(collection)
    const hasFiles = files && line.includes(FILE_MARK)
    if (!names && !hasFiles) return []
    const fields = await fieldsOf(deps.work, session.user?.id ?? '', line.toString(), READ_FIELDS)
    if (names) for (const { collection: other, id } of namedBy(fields)) this.#named.add(other, id)
    return hasFiles ? filesOf(fields) : []
  }
}

/** Every text with a file has it. */
const FILE_MARK = '"sha256":'
const NAMING: ReadonlySet<string> = new Set([propertyKind.collection, jobKind.collection])
const READ_FIELDS = [FILES_FIELD, 'exabyteId', 'source', '_material', '_materials', '_method']

/** The records that a property or a job names. */
function namedBy(fields: JsonObject): readonly FilesOwner[] {
  const materials = [fields._material, ...(isJsonArray(fields._materials) ? fields._materials : [])].flatMap(idIn)
  return [
    ...referencesOf(fields.exabyteId, fields.source),
    ...materials.map((id) => ({ collection: materialKind.collection, id })),
    ...idIn(fields._method).map((id) => ({ collection: methodKind.collection, id })),
  ]
}

function idIn(reference: Json | undefined): readonly string[] {
  const id = isJsonObject(reference) ? ownField(reference, '_id') : undefined
  return typeof id === 'string' ? [id] : []
}

const ID = /^\{"_id":"([A-Za-z0-9_-]+)"/

/** The id of a record, with which its text begins. */
function idOf(line: Uint8Array): string {
  const head = Buffer.from(line.buffer, line.byteOffset, Math.min(line.byteLength, 100)).toString('latin1')
  const id = ID.exec(head)?.[1]
  if (id === undefined) throw new Error('the text of a record does not begin with its _id')
  return id
}

class IdsOfCollections {
  readonly #ids = new Map<string, Set<string>>()

  of(collection: string): ReadonlySet<string> {
    return this.#ids.get(collection) ?? new Set()
  }

  /** Tells whether it has not been there before. */
  add(collection: string, id: string): boolean {
    const ids = this.#ids.get(collection) ?? new Set()
    this.#ids.set(collection, ids)
    const isNew = !ids.has(id)
    ids.add(id)
    return isNew
  }
}

/** Lines, of which the next one can be looked at. */
class NextLine {
  readonly #lines: AsyncIterator<Uint8Array>
  #next: Promise<IteratorResult<Uint8Array>> | null = null

  constructor(lines: AsyncIterable<Uint8Array>) {
    this.#lines = lines[Symbol.asyncIterator]()
  }

  /** Null at the end. */
  async peek(): Promise<Buffer | null> {
    this.#next ??= this.#lines.next()
    const { done, value } = await this.#next
    return done === true ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }

  async take(): Promise<Buffer | null> {
    const line = await this.peek()
    this.#next = null
    return line
  }

  async end(): Promise<void> {
    await this.#lines.return?.()
  }
}

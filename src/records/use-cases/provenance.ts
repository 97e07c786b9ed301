import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import { any, equals } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { planQuery } from '../../query/plan.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { jobKind, methodKind } from '../kinds/plain-kinds.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import { referencesOf } from '../kinds/property/references.ts'
import { originsOf } from '../origins.ts'
import type { Collection } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { getRecord } from './read-records.ts'

/** A record in the history of another one. */
export type ProvenanceNode = {
  readonly collection: string
  readonly _id: string
  /** Null where the session does not see it, or it is gone. */
  readonly name: string | null
  readonly createdAt: string | null
  /** Slug of who made it. */
  readonly creator: string | null
}

/** What one record has to do with another, which was there before it. */
export type ProvenanceLink = {
  /** As `COLLECTION/ID`. */
  readonly from: string
  readonly to: string
  /** `relaxation`, `copy` and the like; `job`, `method`, `about` of what a job or a property names. */
  readonly how: string
  /** Parameters of the operation, where they are said. */
  readonly parameters?: JsonObject
  /** The job in which it was made. */
  readonly jobId?: string
}

/** What a record was made from, and what was made of it. */
export type Provenance = {
  readonly record: string
  readonly nodes: readonly ProvenanceNode[]
  readonly links: readonly ProvenanceLink[]
  /** Whether there is more than is told. */
  readonly isCut: boolean
}

const MOST_NODES = 200
const MOST_OF_ONE = 50

const NAMING = [
  '_id',
  'name',
  'createdAt',
  'creator',
  'madeFrom',
  'exabyteId',
  'source',
  '_material',
  '_materials',
  '_method',
] as const

interface RecordName {
  readonly collection: string
  readonly id: string
}

/** Finds what a record was made from, and what was made of it, as far as the session sees. */
export async function getProvenance(collection: Collection, id: string): Promise<Provenance> {
  await getRecord(collection, id)
  const walk = new ProvenanceWalk(collection)
  const start = { collection: collection.kind.collection, id }
  await walk.back([start])
  await walk.forth([start])
  return { record: nameOf(start), ...walk.found }
}

class ProvenanceWalk {
  readonly #of: Collection
  readonly #nodes = new Map<string, ProvenanceNode>()
  readonly #links = new Map<string, ProvenanceLink>()
  #isCut = false

  constructor(of: Collection) {
    this.#of = of
  }

  get found(): Omit<Provenance, 'record'> {
    return { nodes: [...this.#nodes.values()], links: [...this.#links.values()], isCut: this.#isCut }
  }

  /** Goes from records to what they name, and on from there. */
  async back(records: readonly RecordName[]): Promise<void> {
    let next = records
    const seen = new Set<string>()
    while (next.length > 0) {
      const documents = await Promise.all(next.map((one) => this.#read(one)))
      const named = next.flatMap((one, at) => linksOf(one, documents[at] ?? null))
      for (const link of named) this.#note(link)
      for (const one of next) seen.add(nameOf(one))
      next = unseen(
        named.map(({ to }) => partsOf(to)),
        seen,
      ).filter(() => this.#hasRoom())
    }
  }

  /** Goes from records to those that name them, and on from there; each with all that it was made from. */
  async forth(records: readonly RecordName[]): Promise<void> {
    let next = records
    const seen = new Set(next.map(nameOf))
    while (next.length > 0 && this.#hasRoom()) {
      const made = (await Promise.all(next.map((one) => this.#madeOf(one)))).flat()
      next = unseen(made, seen).filter(() => this.#hasRoom())
      for (const one of next) seen.add(nameOf(one))
      await this.back(next)
    }
  }

  #hasRoom(): boolean {
    this.#isCut ||= this.#nodes.size >= MOST_NODES
    return this.#nodes.size < MOST_NODES
  }

  #note(link: ProvenanceLink): void {
    this.#links.set(`${link.from} ${link.to} ${link.how}`, link)
  }

  async #read({ collection, id }: RecordName): Promise<JsonObject | null> {
    const { deps, session } = this.#of
    const record = await deps.store.read(collection, session.scope, id)
    const document = record === null ? null : await fieldsOf(deps.work, session.user.id, record.text, NAMING)
    if (!this.#nodes.has(nameOf({ collection, id })))
      this.#nodes.set(nameOf({ collection, id }), nodeOf({ collection, id }, document))
    return document
  }

  async #madeOf({ collection, id }: RecordName): Promise<readonly RecordName[]> {
    const found = await Promise.all(
      Object.entries(NAMERS).flatMap(([from, fields]) => {
        const filters = fields.flatMap(({ path, of }) => (of === collection ? [equals(path, id)] : []))
        return filters.length === 0 ? [] : [this.#find(from, filters)]
      }),
    )
    return found.flat()
  }

  async #find(collection: string, filters: readonly FilterNode[]): Promise<readonly RecordName[]> {
    const { deps, session } = this.#of
    const plan = planQuery({ filter: any(...filters), ...IDS }, collection, session.scope)
    const { documents, next } = await deps.store.find(plan, { user: session.user.id })
    this.#isCut ||= next !== null
    return (JSON.parse(documents.toString()) as readonly JsonObject[]).map(({ _id }) => ({
      collection,
      id: String(_id),
    }))
  }
}

const IDS = parseProjection({ fields: { _id: 1 }, limit: MOST_OF_ONE })

/** Fields by which records of a collection name others, with the collection of these. */
const NAMERS: Readonly<Record<string, readonly { readonly path: string; readonly of: string }[]>> = {
  [materialKind.collection]: [
    { path: 'madeFrom._id', of: materialKind.collection },
    { path: 'madeFrom.jobId', of: jobKind.collection },
  ],
  [methodKind.collection]: [{ path: 'madeFrom._id', of: methodKind.collection }],
  [jobKind.collection]: [
    { path: '_material._id', of: materialKind.collection },
    { path: '_materials._id', of: materialKind.collection },
    { path: '_method._id', of: methodKind.collection },
    { path: 'madeFrom._id', of: jobKind.collection },
  ],
  [propertyKind.collection]: [
    { path: 'exabyteId', of: materialKind.collection },
    { path: 'source.info.jobId', of: jobKind.collection },
  ],
}

function unseen(named: readonly RecordName[], seen: ReadonlySet<string>): readonly RecordName[] {
  const fresh = new Map(named.map((one) => [nameOf(one), one]))
  return [...fresh].flatMap(([name, one]) => (seen.has(name) ? [] : [one]))
}

function nameOf({ collection, id }: RecordName): string {
  return `${collection}/${id}`
}

function partsOf(name: string): RecordName {
  const [collection = '', id = ''] = name.split('/')
  return { collection, id }
}

function nodeOf({ collection, id }: RecordName, document: JsonObject | null): ProvenanceNode {
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : null)
  const creator = ownField(document ?? {}, 'creator')
  return {
    collection,
    _id: id,
    name: text(ownField(document ?? {}, 'name')),
    createdAt: text(ownField(document ?? {}, 'createdAt')),
    creator: isJsonObject(creator) ? text(ownField(creator, 'slug')) : null,
  }
}

/** The links of a record to what it names. */
function linksOf({ collection, id }: RecordName, document: JsonObject | null): readonly ProvenanceLink[] {
  if (document === null) return []
  const from = nameOf({ collection, id })
  return [
    ...madeFrom(from, ownField(document, 'madeFrom')),
    ...ofJob(from, document),
    ...ofProperty(from, collection, document),
  ]
}

function madeFrom(from: string, value: Json | undefined): readonly ProvenanceLink[] {
  return originsOf(value).flatMap(({ _id, collection, ...operation }) => [
    { from, to: nameOf({ collection, id: _id }), ...operation },
    ...(operation.jobId === undefined ? [] : [{ from, to: `jobs/${operation.jobId}`, how: 'job' }]),
  ])
}

function ofJob(
  from: string,
  { _material = null, _materials = [], _method = null }: JsonObject,
): readonly ProvenanceLink[] {
  const materials = [_material, ...(isJsonArray(_materials) ? _materials : [])].flatMap(idOf)
  return [
    ...[...new Set(materials)].map((id) => ({ from, to: `materials/${id}`, how: 'about' })),
    ...idOf(_method).map((id) => ({ from, to: `methods/${id}`, how: 'method' })),
  ]
}

function idOf(reference: Json): readonly string[] {
  const id = isJsonObject(reference) ? ownField(reference, '_id') : undefined
  return typeof id === 'string' ? [id] : []
}

const HOW: Readonly<Record<string, string>> = { materials: 'about', jobs: 'job', methods: 'method' }

function ofProperty(from: string, collection: string, { exabyteId, source }: JsonObject): readonly ProvenanceLink[] {
  if (collection !== propertyKind.collection) return []
  const info = isJsonObject(source) ? ownField(source, 'info') : undefined
  const file = isJsonObject(info) ? ownField(info, 'file') : undefined
  return referencesOf(exabyteId, source).map((to) => ({
    from,
    to: nameOf(to),
    how: HOW[to.collection] ?? 'origin',
    ...(to.collection === jobKind.collection && typeof file === 'string' ? { parameters: { file } } : {}),
  }))
}

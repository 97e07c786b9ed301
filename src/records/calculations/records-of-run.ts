import type { Session } from '../../accounts/session.ts'
import type { RunDocuments } from '../../calculations/runs/run-documents.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AttachedFile } from '../attached-files.ts'
import { contentId, named } from '../ids.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { jobKind, methodKind } from '../kinds/plain-kinds.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import { check } from '../use-cases/write-record.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { NewRecord, RecordInput } from '../work/record-input.ts'
import { buildOne } from '../work/record-threads.ts'
import { materialOfOutput } from './material-of-output.ts'

/** For whom calculations are stored. */
export interface RunPlace {
  readonly deps: RecordDeps
  readonly session: Session
}

/** A record that is made of a calculation, or is there already. */
export interface RecordOfRun {
  readonly kind: RecordKind
  readonly id: string
  /** Null for one that is there. */
  readonly built: NewRecord | null
  readonly name: string
}

/** Whether the account has a record of an id. */
export async function isThere(
  { deps: { store }, session }: RunPlace,
  { collection }: RecordKind,
  id: string,
): Promise<boolean> {
  const present = await store.read(collection, session.scope, id)
  return present?.accountId === session.account.id
}

/** Records that are stored together, as they are made one after the other. */
class RecordsOfRun {
  readonly all: RecordOfRun[] = []
  readonly #place: RunPlace
  readonly #isPublic: boolean
  readonly #isRetry: boolean

  /** A retry looks at what has the ids that records are to have: one that was changed since, or removed. */
  constructor(place: RunPlace, isPublic: boolean, isRetry: boolean) {
    this.#place = place
    this.#isPublic = isPublic
    this.#isRetry = isRetry
  }

  /** A material, or the one of the account that the output speaks of: what several functionals say of it is side by side. */
  async material(document: JsonObject | null, parts: readonly string[]): Promise<RecordOfRun | null> {
    if (document === null) return null
    const { deps, session } = this.#place
    const id = await this.#idOf(materialKind, parts)
    const built = await this.#build(materialKind, { source: { document }, id })
    const brought = this.all.find((one) => one.kind === materialKind && one.built?.content === built.content)
    if (brought !== undefined) return brought
    const place = { deps, userId: session.user.id, accountId: session.account.id }
    const same = await materialOfOutput(place, built)
    const name = String(document.name)
    return this.#take(
      same === null ? { kind: materialKind, id, built, name } : { kind: materialKind, id: same, built: null, name },
    )
  }

  /** A method by its content: calculations of the same settings have one. */
  async method(document: JsonObject | null): Promise<RecordOfRun | null> {
    if (document === null) return null
    const parts = ['run-method', this.#place.session.account.id, String(this.#isPublic), JSON.stringify(document)]
    const id = await this.#idOf(methodKind, parts)
    const name = String(document.name)
    if (await isThere(this.#place, methodKind, id)) return this.#take({ kind: methodKind, id, built: null, name })
    return this.#take({
      kind: methodKind,
      id,
      built: await this.#build(methodKind, { source: { document }, id }),
      name,
    })
  }

  async add(kind: RecordKind, id: string, document: JsonObject, files: readonly AttachedFile[] = []): Promise<void> {
    const built = await this.#build(kind, { source: { document }, id, files })
    this.#take({
      kind,
      id,
      built,
      name: kind === propertyKind ? String((document.data as JsonObject).name) : String(document.name),
    })
  }

  /** The first id that nothing else has. A method that has it is the same one. */
  async #idOf(kind: RecordKind, parts: readonly string[]): Promise<string> {
    const { deps, session } = this.#place
    for (let others = 0; ; others++) {
      const id = contentId(...parts, ...(others === 0 ? [] : [String(others)]))
      if (!this.#isRetry) return id
      const isRemoved = (await deps.store.readRemoved(kind.collection, session.scope, id)) !== null
      const isOther = kind === materialKind && (await isThere(this.#place, kind, id))
      if (!isRemoved && !isOther) return id
    }
  }

  async #build(kind: RecordKind, input: RecordInput): Promise<NewRecord> {
    const { deps, session } = this.#place
    const made = await buildOne(deps.work, session.user.id, input, {
      collection: kind.collection,
      purpose: 'create',
      account: named(session.account),
      user: named(session.user),
      now: deps.clock(),
      overrides: { isPublic: this.#isPublic },
    })
    if (!('built' in made)) throw new Error('a record of a run names another account')
    const { built } = made
    const earlier = this.all.flatMap((one) => one.built ?? [])
    const warnings: NewRecord['warnings'] = []
    const asked = { deps, kind, session, accountId: session.account.id, asNew: built, earlier, terms: {} }
    await check({ ...asked, built: { ...built, warnings } })
    return built
  }

  #take(prepared: RecordOfRun): RecordOfRun {
    this.all.push(prepared)
    return prepared
  }
}

/** A calculation as it was read, with the files of its folder. */
export interface ReadCalculation {
  readonly documents: RunDocuments
  readonly main: string
  /** Its place among those of its output. */
  readonly at: number
  readonly files: readonly AttachedFile[]
}

interface RecordTerms {
  readonly isPublic?: boolean
  readonly folder?: string
  readonly jobId: string
  /** Whether other records had the ids of these. */
  readonly isRetry: boolean
}

/** Makes the records of a calculation; each is checked as one of its own would be. */
export async function recordsOf(
  place: RunPlace,
  { documents, files }: ReadCalculation,
  { isPublic = false, folder = '', jobId, isRetry }: RecordTerms,
): Promise<readonly RecordOfRun[]> {
  const records = new RecordsOfRun(place, isPublic, isRetry)
  const initial = await records.material(documents.initial, ['run-material', jobId, 'initial'])
  const madeFrom = initial === null ? [] : [{ _id: initial.id, collection: 'materials', how: documents.how, jobId }]
  const document =
    documents.final === null || madeFrom.length === 0 ? documents.final : { ...documents.final, madeFrom }
  const final = await records.material(document, ['run-material', jobId, 'final'])
  const method = await records.method(documents.method)
  const about = initial ?? final
  await records.add(
    jobKind,
    jobId,
    {
      ...documents.job,
      ...(folder === '' ? {} : { folder }),
      ...(about === null ? {} : { _material: { _id: about.id }, _materials: [{ _id: about.id }] }),
      ...(method === null ? {} : { _method: { _id: method.id } }),
    },
    files,
  )
  const info = { jobId, ...(method === null ? {} : { methodId: method.id }) }
  for (const { source, ...property } of documents.properties) {
    const name = String((property.data as JsonObject).name)
    await records.add(propertyKind, contentId('run-property', jobId, name), {
      ...property,
      ...(final === null ? {} : { exabyteId: [final.id] }),
      source: { ...source, info: { ...source.info, ...info } },
    })
  }
  return records.all
}

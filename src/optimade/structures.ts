import { AppError, isOf } from '../kernel/errors.ts'
import { JsonBytes } from '../kernel/json.ts'
import { FieldNames, JsonFields, objectsIn } from '../kernel/json-fields.ts'
import type { FieldsNode } from '../query/ast/list-request.ts'
import { planQuery, type QueryPlan, type Scope } from '../query/plan.ts'
import { materialKind } from '../records/kinds/material/material-kind.ts'
import { publicSameAs } from '../records/use-cases/same-materials.ts'
import { listWarnings } from '../records/warnings/field-guide.ts'
import type { RecordDeps } from '../records/work/deps.ts'
import { STORE_ERRORS } from '../store/errors.ts'
import type { ReadTerms, RecordStore, StoredRecord } from '../store/port/record-store.ts'
import type { EntryQuery, ListingQuery } from './entry-query.ts'
import { OPTIMADE_ERRORS } from './errors.ts'
import { inWordsOfFilters } from './filter-warnings.ts'
import { IS_STRUCTURE, SAME_AS, STRUCTURE_PROPERTIES, STRUCTURES } from './properties.ts'
import { unset } from './property.ts'
import { allOf } from './queryable.ts'
import { StructureSource } from './structure-source.ts'

const PUBLIC: Scope = { kind: 'public' }

/** The names of the properties that an answer has when nothing else is asked. */
const DEFAULT_FIELDS: readonly string[] = [...STRUCTURE_PROPERTIES]
  .filter(([, property]) => property.isDefault)
  .map(([name]) => name)

/** All fields of records that some property follows from, and the one that structures have. */
const FIELDS = new FieldNames([
  '_id',
  'nSites',
  ...[...STRUCTURE_PROPERTIES.values()].flatMap(({ reads, inner }) => [
    ...reads,
    ...(inner === undefined ? [] : [inner]),
  ]),
])

/** Writes materials as a JSON array of resource objects, and keeps nothing of one when it comes to the next: what lives no longer costs the collector nothing. */
export function writeStructures(structures: Iterable<StructureSource>, query: EntryQuery): Buffer {
  const out = new JsonBytes()
  const write = writerOf(query, out)
  out.json('[')
  for (const structure of structures) {
    if (out.length > 1) out.json(',')
    write(structure)
  }
  out.json(']')
  return out.take()
}

/** Writes a material as a resource object. */
export function writeStructure(structure: StructureSource, query: EntryQuery): Buffer {
  const out = new JsonBytes()
  writerOf(query, out)(structure)
  return out.take()
}

/** Writes resource objects one after the other; a property that is asked for and unknown is null. */
function writerOf({ fields }: EntryQuery, out: JsonBytes): (structure: StructureSource) => void {
  // The two stand beside the attributes.
  const names = (fields ?? DEFAULT_FIELDS).filter((name) => name !== 'id' && name !== 'type')
  const attributes = names.map((name, index) => ({
    head: Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`),
    property: STRUCTURE_PROPERTIES.get(name) ?? UNKNOWN,
  }))
  return (structure) => {
    out.json(`{"type":"${STRUCTURES}","id":`)
    structure.copy(['_id'], out)
    out.json(',"attributes":{')
    for (const { head, property } of attributes) {
      out.raw(head)
      property.write(structure, out)
    }
    out.json('}}')
  }
}

/** Stands for properties of other providers. */
const UNKNOWN = unset('A property that nobody here has.')

export interface StructurePage {
  /** Each is read when it is asked for, which is once. */
  readonly structures: Iterable<StructureSource>
  /** Number of matches, on all pages; null when counting takes longer than a query may. */
  readonly matching: number | null
  /** Number of structures that there are. */
  readonly available: number | null
  readonly hasMore: boolean
}

/** Finds a page of the public materials that match. */
export async function listStructures(
  store: RecordStore,
  query: ListingQuery,
  terms?: ReadTerms,
): Promise<StructurePage> {
  const { sort, offset, limit, fields } = query
  const filter = allOf([IS_STRUCTURE, query.filter])
  // One more than asked tells whether there is a next page.
  const request = { filter, sort, fields: fieldsFor(fields), skip: offset, limit: limit + 1 }
  const plan = planQuery(request, materialKind.collection, PUBLIC)
  const everything = planQuery({ ...request, filter: IS_STRUCTURE }, materialKind.collection, PUBLIC)
  const [page, matching, available] = await Promise.all([
    store.find(plan, terms),
    countWithinBudget(store, plan, terms),
    countWithinBudget(store, everything, terms),
  ])
  return {
    structures: structuresIn(page.documents, limit),
    matching,
    available,
    hasMore: page.count > limit,
  }
}

function* structuresIn(documents: Buffer, limit: number): Generator<StructureSource> {
  let count = 0
  for (const fields of objectsIn(documents, FIELDS)) {
    if (++count > limit) return
    yield new StructureSource(fields)
  }
}

/** Tells what is probably not meant in a filter, as lists of records tell of their queries, in the words of filters. */
export async function filterWarnings(
  store: RecordStore,
  { filter, places }: Pick<ListingQuery, 'filter' | 'places'>,
  foundNothing: boolean,
  since?: number,
): Promise<readonly string[]> {
  if (places.size === 0) return []
  const publicMaterials = { deps: { store }, kind: materialKind, session: { scope: PUBLIC } }
  const told = await listWarnings(publicMaterials, { filter, proposes: false }, foundNothing, since)
  return told.map((one) => inWordsOfFilters(places, one))
}

/** The fields of records that some properties follow from; whole records where all that is usual is asked. */
function fieldsFor(names: readonly string[] | null): FieldsNode | null {
  if (names === null) return null
  const read = names.flatMap((name) => STRUCTURE_PROPERTIES.get(name)?.reads ?? [])
  const tree = new Map(['_id', ...read].map((field) => [field, { kind: 'include' } as const]))
  return { mode: 'inclusion', tree, positional: null }
}

/** A page can be found without looking at all that match, so it does not fail because they are too many to count. */
async function countWithinBudget(
  store: RecordStore,
  plan: QueryPlan,
  terms: ReadTerms | undefined,
): Promise<number | null> {
  try {
    return await store.count(plan, terms)
  } catch (error) {
    if (isOf(STORE_ERRORS.timeBudget, error) || isOf(STORE_ERRORS.busy, error)) return null
    throw error
  }
}

/** Reads one public material as a structure; null where there is none: what is not public, or no structure, is not there. */
export async function getStructure(store: RecordStore, id: string): Promise<StructureSource | null> {
  const record = await store.read(materialKind.collection, PUBLIC, id)
  const source = record === null ? null : structureOf(withShown(record))
  return source === null || source.field('nSites') === null ? null : source
}

/** The text of a material with what it shows of its properties. */
function withShown({ text, derived }: StoredRecord): string {
  return derived === undefined ? text : `${text.slice(0, -1)},${derived.slice(1)}`
}

/** A material that the program wrote. */
export function structureOf(text: string): StructureSource {
  return new StructureSource(new JsonFields(Buffer.from(text), FIELDS))
}

/** Structures of a page that others are sought for: each takes a search of its own. */
const MOST_STRUCTURES = 20

/** Refuses a page of so many structures that the same ones cannot be sought for each. */
export function assertFewEnough({ fields, limit }: EntryQuery & { readonly limit: number }): void {
  if (fields?.includes(SAME_AS) !== true || limit <= MOST_STRUCTURES) return
  const hint = `Ask for page_limit=${MOST_STRUCTURES} or less, or leave ${SAME_AS} out of response_fields.`
  const message = `${SAME_AS} is given for at most ${MOST_STRUCTURES} structures a page.`
  throw new AppError(OPTIMADE_ERRORS.pageTooLarge, `${message} ${hint}`, { path: 'page_limit', hint })
}

/** Structures, and what the client should know of what they say. */
interface Completed {
  readonly structures: Iterable<StructureSource>
  readonly warnings: readonly string[]
}

/** Gives structures the ids of the public ones that are the same crystal, where they are asked for. */
export async function withSameAs(
  deps: Pick<RecordDeps, 'store' | 'work'>,
  terms: ReadTerms,
  { fields }: EntryQuery,
  structures: Iterable<StructureSource>,
): Promise<Completed> {
  if (fields?.includes(SAME_AS) !== true) return { structures, warnings: [] }
  const complete = [...structures]
  const warnings: string[] = []
  for (const structure of complete) {
    const found = await publicSameAs(deps, terms, structure.id)
    if (found !== null) structure.noteSame(found.same.map(({ _id }) => _id))
    if (found?.exact === false) warnings.push(unfinished(structure.id))
  }
  return { structures: complete, warnings }
}

function unfinished(id: string): string {
  return `Not all structures that may be the same crystal as ${id} were compared, so ${SAME_AS} may lack some: they are too many, or it took too long.`
}

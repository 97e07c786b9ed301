import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type JsonObject } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import { type Warning, warning } from '../../kernel/warnings.ts'
import { remedied } from '../../page/remedies.ts'
import { all, equals } from '../../query/ast/filter.ts'
import { parseQueryText } from '../../query/context.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { planQuery, type Scope } from '../../query/plan.ts'
import type { FieldRead } from '../../query/warnings/find-warnings.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import { type Reference, referencesOf } from '../kinds/property/references.ts'
import { propertiesIn, shownWithSameValue } from '../kinds/property/shown-properties.ts'
import { savedQueryKind } from '../kinds/record-kinds.ts'
import type { OriginName } from '../origins.ts'
import type { RecordKind, ScopedCollection } from '../record-kind.ts'
import { invalidRecord } from '../validate-record.ts'
import { listWarnings, refuseWarnings } from '../warnings/field-guide.ts'
import { RECORD_WARNINGS } from '../warnings/warnings.ts'
import type { WriteWarning } from '../warnings/write-warnings.ts'
import { bankKinds } from '../work/bank.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { BuiltRecord } from '../work/record-input.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { findSameAmong, findSameAs, findSameOf, unfinishedSearch } from './same-materials.ts'
import type { Check } from './write.ts'

/** Looks for records of the account that have the same content: `onDuplicate` says what is done then. */
export const equalContent: Check = async ({ deps, kind, accountId, asNew, earlier, terms }) => {
  const { onDuplicate = 'create', tellsAll = false } = terms
  if (asNew === null || asNew.content === null || (onDuplicate === 'create' && !tellsAll)) return {}
  const { collection, content } = asNew
  const brought = earlier.find((other) => other.collection === collection && other.content === content)
  const duplicates = brought === undefined ? await findDuplicates(deps, kind, accountId, content) : [brought.id]
  const [oldest] = duplicates
  if (oldest === undefined || onDuplicate === 'create') return { duplicates }
  if (onDuplicate === 'fail') throw duplicateRefusal(kind, duplicates)
  return { duplicates, existing: oldest }
}

/** Looks for the same crystal in the account where that is not to be stored twice (`skipSame`). */
export const sameCrystal: Check = async ({ deps, session, accountId, asNew, earlier, terms }) => {
  if (asNew === null || terms.skipSame !== true) return {}
  const stored = await findSameOf({ deps, session }, accountId, asNew)
  const found = stored.same.length > 0 ? stored : await findSameAmong({ deps, session }, asNew, earlier)
  const [nearest] = found.same
  if (nearest !== undefined) return { existing: nearest._id, sameAs: [nearest] }
  return { warnings: stored.exact && found.exact ? [] : [unfinishedSearch('skipSame')] }
}

/** Tells which records that the session sees are the same crystal. */
export const sameInSight: Check = async ({ deps, session, asNew, terms }) => {
  if (asNew === null || terms.tellsAll !== true) return {}
  const { same: sameAs, exact } = await findSameAs({ deps, session }, asNew)
  return { sameAs, warnings: exact ? [] : [unfinishedSearch('sameAs')] }
}

/** Tells what is probably not meant; a field that other visible records have too is meant. */
export const unknownFields: Check = async ({ deps, kind, session, built, terms }) => ({
  warnings: await tellWritten({ deps, kind, session }, built.warnings, terms.strict),
})

/** Leaves those of the warnings of what is written that what others have does not answer; refuses them where that is wanted. */
export async function tellWritten(
  { deps: { store }, kind, session: { scope } }: ScopedCollection,
  warnings: readonly WriteWarning[],
  strict = false,
): Promise<readonly Warning[]> {
  if (warnings.length === 0) return []
  const told = await store.askKnowledge(kind.collection, scope, (knowledge) =>
    warnings
      .filter(({ unlessSeen, path }) => unlessSeen !== true || (knowledge?.kindsAt(path)?.size ?? 0) === 0)
      .map(({ unlessSeen: _, ...warning }) => warning),
  )
  if (strict) refuseWarnings(told)
  return told
}

/** Refuses a property of a material, or from a job or by a method, that its writer does not see; what it named before may be gone by now, and what goes to the store with it is there then. */
export const knownReferences: Check = async ({ deps, kind, session, accountId, built, earlier, terms }) => {
  if (kind !== propertyKind) return {}
  const { exabyteId, source } = await fieldsOf(deps.work, session.user.id, built.text, ['exabyteId', 'source'])
  const known = built.before?.property ?? null
  const isKnown = ({ collection, id }: Reference) =>
    [...(known?.materials ?? []), known?.jobId, known?.methodId].includes(id) ||
    earlier.some((other) => other.collection === collection && other.id === id)
  const references = referencesOf(exabyteId, source).filter((reference) => !isKnown(reference))
  const found = await Promise.all(
    references.map(({ collection, id }) => deps.store.read(collection, session.scope, id)),
  )
  const unknown = references.filter((_, index) => found[index] === null)
  if (unknown.length > 0) throw invalidRecord(kind, unknown.map(unknownReference))
  const warnings = references.flatMap(({ collection }, index) => {
    const record = found[index] ?? null
    if (record === null || collection !== materialKind.collection) return []
    const hidden = notShownBy(record, built, accountId)
    return hidden.length > 0 ? hidden : shownTwiceBy(record, built)
  })
  if (terms.strict === true) refuseWarnings(warnings)
  return { warnings }
}

/** A material shows the properties of its account that are as public as it is. */
function notShownBy(
  material: StoredRecord,
  { isPublic }: Pick<BuiltRecord, 'isPublic'>,
  accountId: string,
): readonly Warning[] {
  const [is, other] = material.isPublic ? ['public', 'private'] : ['private', 'public']
  const why =
    material.accountId !== accountId
      ? 'the material is of another account'
      : material.isPublic !== isPublic
        ? `the material is ${is}, and the property ${other}`
        : null
  if (why === null) return []
  const message = `The property is kept, and its material does not show it: ${why}.`
  return [warning(RECORD_WARNINGS.ofOthers, 'exabyteId', message, 'The list of properties has it.')]
}

/** Tells whoever publishes a material, or takes that back, which properties it does not show any more. */
export const hiddenProperties: Check = async ({ kind, built, stored, terms }) => {
  if (kind !== materialKind || stored === undefined || stored.isPublic === built.isPublic) return {}
  const names = Object.keys(propertiesIn(stored.derived))
  if (names.length === 0) return {}
  const [is, others] = built.isPublic ? ['public', 'private'] : ['private', 'public']
  const message = `The material is ${is} now, and does not show what is ${others}: its ${names.join(', ')} of before.`
  const hint = `Make its properties ${is}, too: those whose exabyteId is its _id.`
  const warnings = [warning(RECORD_WARNINGS.ofOthers, 'isPublic', message, hint)]
  if (terms.strict === true) refuseWarnings(warnings)
  return { warnings }
}

/** Tells of a property that comes although its material shows the same; what an import brings is told apart by its job. */
function shownTwiceBy({ derived }: StoredRecord, { before, after }: BuiltRecord): readonly Warning[] {
  const property = after?.property ?? null
  if (before !== null || property === null) return []
  const id = shownWithSameValue(propertiesIn(derived), property)
  if (id === null) return []
  const message = `The material shows the same ${property.name} of the same origin already: it is the property ${id}, and this is one more.`
  return [warning(RECORD_WARNINGS.shownAlready, 'data', message, 'Delete it where it was not meant.')]
}

/** Refuses what a client says that a record was made from and its writer does not see. An import keeps what it brings, and a record may outlive its origins. */
export const knownOrigins: Check = async ({ deps, kind, session, built, earlier }) => {
  const isEarlier = ({ collection, id }: OriginName) =>
    earlier.some((other) => other.collection === collection && other.id === id)
  const origins = (built.origins ?? []).filter((origin) => !isEarlier(origin))
  const found = await Promise.all(origins.map(({ collection, id }) => deps.store.read(collection, session.scope, id)))
  const unknown = origins.filter((_, index) => found[index] === null)
  if (unknown.length > 0) throw invalidRecord(kind, unknown.map(unknownReference))
  return {}
}

/** What everybody sees, which is what banks are made of. */
const PUBLIC: Scope = { kind: 'public' }

/** Refuses a query that is kept to be asked of a collection that there is not; tells what is odd about its conditions, what it sorts by and what it shows. */
export const savedQuery: Check = async ({ deps, kind, session, built, terms }) => {
  if (kind !== savedQueryKind) return {}
  const saved = await fieldsOf(deps.work, session.user.id, built.text, ['kind', 'query', 'sort', 'columns'])
  // A set of queries has none.
  if (typeof saved.kind !== 'string' || typeof saved.query !== 'string') return {}
  const { kinds } = deps.work
  const isSearched = ({ collection }: RecordKind): boolean => collection === saved.kind
  const bank = bankKinds(kinds).find(isSearched)
  const searched = bank ?? kinds.find(isSearched)
  if (searched === undefined) throw noSuchCollection(saved.kind, kinds)
  const filter = parseFilter(parseQueryText(saved.query))
  const asked = { filter, reads: readsOf(saved), strict: terms.strict === true }
  const scope = bank === undefined ? session.scope : PUBLIC
  return { warnings: await listWarnings({ deps, kind: searched, session: { scope } }, asked, false) }
}

function unknownReference({ collection, id, pointer }: Reference) {
  return { pointer, expected: `the _id of one of the ${collection} that you can see`, given: JSON.stringify(id) }
}

function noSuchCollection(given: string, kinds: readonly RecordKind[]): AppError {
  const collections = kinds.map(({ collection }) => collection)
  const near = nearestName(given, collections)
  const expected = near === null ? `a collection: ${collections.join(', ')}` : `a collection (did you mean ${near}?)`
  return invalidRecord(savedQueryKind, [{ pointer: '/kind', expected, given: JSON.stringify(given) }])
}

/** The schema has looked at their forms. */
function readsOf({ sort, columns = [] }: JsonObject): readonly FieldRead[] {
  const key = typeof sort === 'string' ? sort.replace(/^-/, '') : ''
  const shown = isJsonArray(columns) ? columns : []
  return [
    ...(key === '' ? [] : [readOf(key, 'sort', 'order')]),
    ...shown.map((path, at) => readOf(String(path), `columns[${at}]`, 'column')),
  ]
}

function readOf(text: string, place: string, as: FieldRead['as']): FieldRead {
  return { path: { text, parts: text.split('.') }, place, as }
}

function duplicateRefusal(kind: RecordKind, duplicates: readonly string[]): AppError {
  return new AppError(
    RECORD_ERRORS.duplicate,
    `The account has this ${kind.name} already: ${duplicates[0]}. Nothing was stored.`,
    { path: 'onDuplicate', ...remedied('storeOnceMore'), duplicates },
  )
}

/** Duplicates that are told, the oldest first. */
const MOST_TOLD = 100

const IDS = parseProjection({ fields: { _id: 1 }, limit: MOST_TOLD })

/** Finds the records of an account that have a content, as `contentOf` tells it. */
export async function findDuplicates(
  deps: RecordDeps,
  { contentField, collection }: RecordKind,
  accountId: string,
  value: string | null,
): Promise<readonly string[]> {
  if (contentField === undefined || value === null) return []
  const filter = all(equals(contentField, value), equals('owner._id', accountId))
  const plan = planQuery({ filter, ...IDS }, collection, { kind: 'account', accountId })
  const { documents } = await deps.store.find(plan)
  return (JSON.parse(documents.toString()) as readonly { readonly _id: string }[]).map(({ _id }) => _id)
}

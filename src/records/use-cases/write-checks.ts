import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type JsonObject } from '../../kernel/json.ts'
import { all, equals } from '../../query/ast/filter.ts'
import { parseQueryText } from '../../query/context.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { planQuery } from '../../query/plan.ts'
import type { FieldRead } from '../../query/warnings/find-warnings.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { RECORD_KINDS, savedQueryKind } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import { listWarnings, refuseWarnings } from '../warnings/field-guide.ts'
import type { RecordDeps } from '../work/deps.ts'
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
export const unknownFields: Check = async ({ deps, kind, session, built, terms }) => {
  if (built.warnings.length === 0) return {}
  const told = await deps.store.askKnowledge(kind.collection, session.scope, (knowledge) =>
    built.warnings
      .filter(({ unlessSeen, path }) => unlessSeen !== true || (knowledge?.kindsAt(path)?.size ?? 0) === 0)
      .map(({ unlessSeen: _, ...warning }) => warning),
  )
  if (terms.strict === true) refuseWarnings(told)
  return { warnings: told }
}

/** Tells what is odd about a query that is kept to be asked again: its conditions, what it sorts by and what it shows. */
export const savedQuery: Check = async ({ deps, kind, session, built, terms }) => {
  if (kind !== savedQueryKind) return {}
  const saved = await fieldsOf(deps.work, session.user.id, built.text, ['kind', 'query', 'sort', 'columns'])
  const searched = RECORD_KINDS.find(({ collection }) => collection === saved.kind)
  if (searched === undefined || typeof saved.query !== 'string') return {}
  const filter = parseFilter(parseQueryText(saved.query))
  const asked = { filter, reads: readsOf(saved), strict: terms.strict === true }
  return { warnings: await listWarnings({ deps, kind: searched, session }, asked, false) }
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
    { path: 'onDuplicate', hint: 'onDuplicate=return answers with it, onDuplicate=create stores another.', duplicates },
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

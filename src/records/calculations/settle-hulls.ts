import { setImmediate } from 'node:timers/promises'
import { readPropertyData } from '../../calculations/property-data.ts'
import { isoInstant } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { all, equals, type FilterNode, field, isOneOf } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { planQuery } from '../../query/plan.ts'
import { ENERGY_FIELD, ENTRY_FIELDS } from '../diagrams/energy-entries.ts'
import {
  HULL_NAMES,
  HULL_PROPERTY_FIELDS,
  type HullChange,
  type HullChanges,
  type HullProperty,
  type HullQuestion,
  systemIn,
} from '../diagrams/hull-properties.ts'
import { type StaleMaterials, staleHullsOf } from '../diagrams/stale-hulls.ts'
import { RECORD_EVENTS } from '../events.ts'
import { addressOf, named } from '../ids.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { HULL_SOURCE } from '../kinds/property/best-property.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import { commit, insertOf, oneByOne } from '../use-cases/write-record.ts'
import { broughtBy } from '../work/bank-changes.ts'
import type { RecordDeps } from '../work/deps.ts'
import { ownRecord } from '../work/own-record.ts'
import { buildOne } from '../work/record-threads.ts'
import type { Step } from '../work/step.ts'
import { withFields } from '../work/stored-text.ts'

/** For whom the server works when nobody has asked. */
const SERVER = 'server'
/** Documents of one page: what is at hand is put together on the thread that asks, in some milliseconds. */
const PAGE = 100
/** Sets of elements that systems are looked for by; of more, all systems of the account are looked at. */
const MOST_SETS = 200
/** Materials that are written at a time: each in a transaction of its own, and several of them in one write to the disk. */
const TOGETHER = 8
/** Looks until nothing is to be changed: others change energies meanwhile. */
const MOST_LOOKS = 20

/** An account whose hulls are settled. */
export interface HullPlaces {
  readonly deps: RecordDeps
  readonly accountId: string
  /** Ends it after the change that is under way. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes the formation energies and the energies above the hull of an account what follows from its energies: of the systems that some of its materials are in or
 * belong to, or of all. It looks again until there is nothing to change, so that of several that do it at a time the last one leaves it right. Gives how many materials were changed,
 * and whether it came to an end.
 */
export async function settleHulls(
  account: HullPlaces,
  stale: StaleMaterials,
  onLook: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly changed: number; readonly isSettled: boolean }> {
  const isEnding = () => account.signal?.aborted === true
  let changed = 0
  const having = stale === null ? null : await systemsOf(account, [...stale])
  if (having?.length === 0) return { changed, isSettled: true }
  for (let look = 0; look < MOST_LOOKS && !isEnding(); look++) {
    await onLook()
    const found = await lookAt(account, having)
    changed += found
    if (found === 0) return { changed, isSettled: !isEnding() }
  }
  return { changed, isSettled: false }
}

/** The smallest sets of elements of which every system that has all of them depends on one of the materials; null for too many. */
async function systemsOf(account: HullPlaces, ids: readonly string[]): Promise<readonly (readonly string[])[] | null> {
  const systems = new Set<string>()
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const fields = { _id: 1, elements: 1, 'source.info.elements': 1 } as const
    for await (const { elements } of recordsOf(account, materialKind, all(isOneOf('_id', some), HAS_ENERGY), fields))
      systems.add((elements as readonly string[]).join('-'))
    for await (const document of recordsOf(account, propertyKind, all(isOneOf('exabyteId', some), OF_HULL), fields))
      systems.add(systemIn(document).join('-'))
  }
  const sets = [...systems].map((system) => system.split('-')).sort((one, other) => one.length - other.length)
  const smallest: (readonly string[])[] = []
  for (const set of sets) {
    if (!smallest.some((other) => other.every((element) => set.includes(element)))) smallest.push(set)
    if (smallest.length > MOST_SETS) return null
  }
  return smallest
}

/** Settles what has been noted of a store. Gives how many materials were changed. */
export async function settleNoted(deps: RecordDeps, signal?: AbortSignal): Promise<number> {
  let changed = 0
  for (const [accountId, stale] of staleHullsOf(deps.store).take()) {
    try {
      const settled = await settleHulls({ deps, accountId, signal }, stale)
      changed += settled.changed
    } catch (error) {
      if (signal?.aborted !== true) deps.log.tell(RECORD_EVENTS.hullsNotSettled, { account: accountId }, error)
    }
  }
  return changed
}

/** Makes what differs what it should be. Gives the number of materials with a difference. */
async function lookAt(account: HullPlaces, having: HullQuestion['having']): Promise<number> {
  const { deps, accountId, signal } = account
  const ofHull = all(OF_HULL, ...hasAny('source.info.elements', having))
  const present = await readPages(account, propertyKind, ofHull, HULL_PROPERTY_FIELDS)
  const needed = all(HAS_ENERGY, ...(await within(account, having)))
  const entries = await readPages(account, materialKind, needed, ENTRY_FIELDS)
  let changed = 0
  for (let after: string | null = null; ; ) {
    const question: HullQuestion = { accountId, entries, present, having, after }
    const { changes, next }: HullChanges = await deps.work.run('hulls', SERVER, question)
    for (let at = 0; at < changes.length; at += TOGETHER) {
      if (signal?.aborted === true) return changed
      const some = changes.slice(at, at + TOGETHER)
      await Promise.all(some.map((change) => carryOut(account, change)))
      changed += some.length
    }
    if (next === null) return changed
    after = next
  }
}

/** Conditions of the entries that the asked systems depend on: none has an element that these do not have. */
async function within(account: HullPlaces, having: HullQuestion['having']): Promise<readonly FilterNode[]> {
  if (having === null) return []
  const asked = all(HAS_ENERGY, ...hasAny('elements', having))
  const elements = new Set<string>()
  for await (const document of recordsOf(account, materialKind, asked, { elements: 1 })) {
    for (const element of document.elements as readonly string[]) elements.add(element)
  }
  const other = { operator: '$not', predicates: [{ operator: '$in', values: [...elements], patterns: [] }] } as const
  const some = { operator: '$elemMatch', form: 'value', predicates: [other] } as const
  return [field('elements', { operator: '$not', predicates: [some] })]
}

const HAS_ENERGY = field(ENERGY_FIELD, { operator: '$exists', exists: true })
/** Properties that are the server's: whatever else has this source is left alone. */
const OF_HULL = all(equals('source.type', HULL_SOURCE), isOneOf('data.name', HULL_NAMES))

function hasAny(path: string, having: HullQuestion['having']): readonly FilterNode[] {
  if (having === null) return []
  const clauses = having.map((elements) => all(...elements.map((element) => equals(path, element))))
  return [{ kind: 'or', clauses }]
}

type ReadFields = Readonly<Record<string, 1>>

/** The account's own records of a kind, page by page, as the bytes of JSON arrays. */
async function* pagesOf(
  { deps, accountId }: HullPlaces,
  kind: RecordKind,
  condition: FilterNode,
  fields: ReadFields,
): AsyncGenerator<Buffer> {
  const filter = all(condition, equals('owner._id', accountId))
  let after: string | null = null
  do {
    const asked = { filter, ...parseProjection({ fields, limit: PAGE }), after }
    const page = await deps.store.find(planQuery(asked, kind.collection, { kind: 'account', accountId }))
    yield page.documents
    after = page.next
    // A page that is at hand comes in the same turn.
    await setImmediate()
  } while (after !== null)
}

async function readPages(...asked: Parameters<typeof pagesOf>): Promise<readonly Buffer[]> {
  const pages: Buffer[] = []
  for await (const page of pagesOf(...asked)) pages.push(page)
  return pages
}

/** The same as documents, of which a page at a time is parsed. */
async function* recordsOf(...asked: Parameters<typeof pagesOf>): AsyncGenerator<JsonObject> {
  for await (const page of pagesOf(...asked)) yield* JSON.parse(page.toString()) as readonly JsonObject[]
}

/** Writes what belongs to one material in one transaction. Where somebody else comes first, the next look finds it. */
function carryOut(account: HullPlaces, { materialId, write, erase }: HullChange): Promise<void> {
  const { deps } = account
  return oneByOne(deps.store, materialId, async () => {
    const steps = await Promise.all([
      ...write.map((property) => writing(account, property)),
      ...erase.map((id) => erasing(account, id)),
    ])
    const given = steps.filter((step) => step !== null)
    if (given.length > 0) await commit(deps, { steps: given, by: undefined })
  })
}

async function writing(account: HullPlaces, { id, isPublic, document }: HullProperty): Promise<Step | null> {
  const { deps } = account
  const present = await ownRecord(account.deps, propertyKind.collection, { id, accountId: account.accountId })
  if (present === null) return inserting(account, { id, isPublic, document })
  const { data, summary } = readPropertyData(document.data as JsonObject)
  const fields = { ...document, data, summary, isPublic, updatedAt: isoInstant(deps.clock()) }
  const text = await withFields(deps.work, SERVER, present.text, fields)
  const change = {
    action: 'replace',
    ...addressOf(propertyKind.collection, present),
    isPublic,
    text,
    keepsRevision: false,
    follows: true,
  } as const
  const before = await broughtBy(deps.work, SERVER, propertyKind, present)
  return { change, before, after: await broughtBy(deps.work, SERVER, propertyKind, { isPublic, text }) }
}

/** Null where the account is gone. */
async function inserting(
  { deps, accountId }: HullPlaces,
  { id, isPublic, document }: HullProperty,
): Promise<Step | null> {
  const account = await deps.accounts.findAccount(accountId)
  if (account === null) return null
  const made = await buildOne(
    deps.work,
    SERVER,
    { source: { document }, id },
    {
      collection: propertyKind.collection,
      purpose: 'create',
      account: named(account),
      user: named(account),
      now: deps.clock(),
      overrides: { isPublic },
    },
  )
  if (!('built' in made)) throw new Error('a property of a hull names another account')
  const { built } = made
  return { change: { ...insertOf(accountId, built), follows: true }, before: built.before, after: built.after }
}

async function erasing(account: HullPlaces, id: string): Promise<Step | null> {
  const present = await ownRecord(account.deps, propertyKind.collection, { id, accountId: account.accountId })
  if (present === null) return null
  const before = await broughtBy(account.deps.work, SERVER, propertyKind, present)
  const change = { action: 'erase', ...addressOf(propertyKind.collection, present), follows: true } as const
  return { change, before, after: null }
}

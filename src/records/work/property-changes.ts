import type { JsonObject } from '../../kernel/json.ts'
import { all, equals, isOneOf } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { planQuery } from '../../query/plan.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../ids.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { bestOf, type PropertyState, propertyState, STATE_FIELDS } from '../kinds/property/best-property.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import { namesShownAs, propertiesIn, shownAs, shownProperties, shownWith } from '../kinds/property/shown-properties.ts'
import type { RecordDeps } from './deps.ts'
import { ownRecord } from './own-record.ts'
import { type Rival, shownRivals } from './shown-rivals.ts'
import type { Followed, Step } from './step.ts'
import { withFields } from './stored-text.ts'

/** A material whose properties change, as the account has it that they belong to. */
interface Subject {
  readonly id: string
  readonly accountId: string
  /** The step that writes the material itself. */
  readonly own: Step | null
  /** Names that it shows and that change; null for all. */
  readonly names: ReadonlySet<string> | null
}

/**
 * Makes the changes that go with those of properties: of one material, name and group the best one says so, and its material shows it. A material shows the properties
 * of its own account that whoever sees it sees too.
 */
export async function propertyChanges(deps: RecordDeps, steps: readonly Step[]): Promise<Followed> {
  const amended = new Map<Step, Change>()
  const changes: Change[] = []
  for (const subject of subjectsOf(steps)) {
    const { accountId } = subject
    const others = steps.filter((step) => step.change.accountId === accountId && isOfProperty(step))
    // Before its properties: who changes one of them meanwhile has written a later version.
    const material = subject.own === null ? await ownRecord(deps, materialKind.collection, subject) : null
    const rivals = await shownRivals(deps, material, others)
    const stored = rivals?.map(({ property }) => property) ?? (await propertiesOf(deps, subject))
    const candidates = withSteps(stored, others).filter(({ property }) => isChanged(subject, property.name))
    for (const { property, step, isBest } of misjudged(candidates, subject)) {
      if (step === null) changes.push(...(await judged(deps, { accountId, id: property.id, isBest, rivals })))
      else amended.set(step, await amendedBy(deps, amended.get(step) ?? step.change, { isBest }))
    }
    const shown = shownChange(subject, { material, candidates, isAll: rivals === null })
    if (subject.own !== null && shown !== null) amended.set(subject.own, shown)
    else if (shown !== null) changes.push(shown)
  }
  return { changes, amended }
}

function isOfProperty({ change }: Step): boolean {
  return change.collection === propertyKind.collection
}

function subjectsOf(steps: readonly Step[]): readonly Subject[] {
  const subjects = new Map<string, Subject>()
  const note = (step: Step, id: string, own: Step | null, name: string | null) => {
    const { accountId } = step.change
    const key = JSON.stringify([accountId, id])
    const known = subjects.get(key) ?? unnamed(insertionOf(steps, id, accountId))
    const names = name === null || known.names === null ? null : new Set([...known.names, shownAs(name)])
    subjects.set(key, { id, accountId, own: own ?? known.own, names })
  }
  for (const step of steps) {
    if (isMoved(step)) note(step, step.change.id, step, null)
    if (!isOfProperty(step)) continue
    for (const { property } of [step.before, step.after].flatMap((one) => one ?? [])) {
      for (const id of property?.materials ?? []) note(step, id, null, property?.name ?? null)
    }
  }
  return [...subjects.values()]
}

/** A material that comes may have properties of one of its id that is gone. */
function unnamed(insertion: Step | null): Pick<Subject, 'own' | 'names'> {
  return { own: insertion, names: insertion === null ? new Set() : null }
}

function isChanged({ names }: Subject, name: string): boolean {
  return names === null || names.has(shownAs(name))
}

/** The step by which a material comes with its properties; null where it is there already. */
function insertionOf(steps: readonly Step[], id: string, accountId: string): Step | null {
  const isOf = ({ change }: Step) =>
    change.collection === materialKind.collection && change.id === id && change.accountId === accountId
  return steps.find((step) => step.change.action === 'insert' && isOf(step)) ?? null
}

/** Tells whether other properties belong to a material by a step: it is published or is not any more, or comes back. */
function isMoved({ change, before, after }: Step): boolean {
  if (change.collection !== materialKind.collection) return false
  return change.action === 'restore' || (change.action === 'replace' && isBanked(before) !== isBanked(after))
}

function isBanked(contribution: Step['before']): boolean {
  return (contribution?.bank ?? null) !== null
}

/** A property with the step that writes it. */
interface JudgedProperty {
  readonly property: PropertyState
  readonly step: Step | null
}

const AT_A_TIME = 500
const FIELDS = parseProjection({
  fields: Object.fromEntries([...STATE_FIELDS, 'data.name'].map((field) => [field, 1])),
  limit: AT_A_TIME,
})

/** The properties of a material, of the names that change. */
async function propertiesOf(
  { store }: RecordDeps,
  { id, accountId, names }: Subject,
): Promise<readonly PropertyState[]> {
  const ofNames = names === null ? [] : [isOneOf('data.name', [...names].flatMap(namesShownAs))]
  const filter = all(equals('exabyteId', id), equals('owner._id', accountId), ...ofNames)
  const properties: PropertyState[] = []
  for (let after: string | null = null; ; ) {
    const plan = planQuery({ filter, ...FIELDS, after }, propertyKind.collection, { kind: 'account', accountId })
    const { documents, next } = await store.find(plan)
    properties.push(...(JSON.parse(documents.toString()) as readonly JsonObject[]).map(propertyState))
    if (next === null) return properties
    after = next
  }
}

/** The properties as they will be when the steps are done. */
function withSteps(stored: readonly PropertyState[], steps: readonly Step[]): readonly JudgedProperty[] {
  const written = new Map(steps.map((step) => [step.change.id, step]))
  const kept = stored.filter(({ id }) => !written.has(id)).map((property) => ({ property, step: null }))
  const come = [...written.values()].flatMap((step) => {
    const property = step.after?.property ?? null
    return property === null ? [] : [{ property: { ...property, id: step.change.id }, step }]
  })
  return [...kept, ...come]
}

/** Properties that are the best and do not say so, or the other way round. They are compared with those of their first material that the same people see. */
function misjudged(candidates: readonly JudgedProperty[], { id }: Subject) {
  const own = candidates.filter(({ property }) => property.materials[0] === id)
  const best = new Set(
    [true, false].flatMap((isPublic) =>
      bestOf(own.flatMap(({ property }) => (property.isPublic === isPublic ? [property] : []))),
    ),
  )
  return own
    .map((candidate) => ({ ...candidate, isBest: best.has(candidate.property) }))
    .filter(({ property, isBest }) => property.isBest !== isBest)
}

async function judged(deps: RecordDeps, { accountId, id, isBest, rivals }: JudgedAs): Promise<readonly Change[]> {
  const known = rivals?.find(({ property }) => property.id === id)?.record
  const record = known ?? (await ownRecord(deps, propertyKind.collection, { id, accountId }))
  if (record === null) return []
  const change = rewriteOf(propertyKind.collection, record)
  return [await amendedBy(deps, change, { isBest })]
}

interface JudgedAs {
  readonly accountId: string
  readonly id: string
  readonly isBest: boolean
  /** Those that were read. */
  readonly rivals: readonly Rival[] | null
}

/** The change with other values in some fields of what it writes. */
async function amendedBy(deps: RecordDeps, change: Change, fields: JsonObject): Promise<Change> {
  if (!('text' in change)) return change
  return { ...change, text: await withFields(deps.work, change.accountId, change.text, fields) }
}

/** A change that writes a record as it is, with no version that is kept of it. */
function rewriteOf(collection: string, record: StoredRecord) {
  const { isPublic, text } = record
  return {
    action: 'replace',
    ...addressOf(collection, record),
    isPublic,
    text,
    keepsRevision: false,
    follows: true,
  } as const
}

/** A material with its properties of the names that change, or those that are compared with the one that comes. */
interface ShownChange {
  readonly material: StoredRecord | null
  readonly candidates: readonly JudgedProperty[]
  readonly isAll: boolean
}

/**
 * The change by which the material shows its properties; null where it is none of the account. It is written even where it shows what it has shown before: by its version,
 * who changes properties at the same time in another process learns of it.
 */
function shownChange(subject: Subject, { material, candidates, isAll }: ShownChange): Change | null {
  const { own } = subject
  if (own !== null)
    return 'text' in own.change ? { ...own.change, derived: shownBy(own.change, candidates, subject) } : null
  if (material === null) return null
  const derived = isAll ? shownBy(material, candidates, subject) : shownBeside(material, candidates)
  return { ...rewriteOf(materialKind.collection, material), derived }
}

function shownBy(
  { isPublic, derived }: { readonly isPublic: boolean; readonly derived?: string },
  candidates: readonly JudgedProperty[],
  subject: Subject,
): string {
  const seen = candidates
    .map(({ property }) => property)
    .filter((one) => one.isPublic === isPublic && one.materials.includes(subject.id))
  return derivedText(shownProperties(bestOf(seen), othersIn(derived, subject)))
}

function derivedText(shown: JsonObject): string {
  return Object.keys(shown).length === 0 ? '' : JSON.stringify({ properties: shown })
}

/** Text of what a material shows when one more has come. */
function shownBeside({ id, derived = '' }: StoredRecord, candidates: readonly JudgedProperty[]): string {
  const own = candidates.filter(({ property }) => property.materials.includes(id))
  const best = bestOf(own.map(({ property }) => property))
  const come = own.find(({ step }) => step !== null)?.property
  if (come === undefined || !best.includes(come)) return derived
  return derivedText(shownWith(propertiesIn(derived), come, best[0] === come))
}

/** What a material shows of names that do not change. */
function othersIn(derived = '', { own, names }: Subject): JsonObject {
  if (own !== null || names === null) return {}
  return Object.fromEntries(Object.entries(propertiesIn(derived)).filter(([name]) => !names.has(name)))
}
